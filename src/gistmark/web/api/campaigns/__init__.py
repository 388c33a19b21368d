"""Operations on a campaign: its settings, protocol, people and material."""
