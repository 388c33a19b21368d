"""What all pages share: templates, scripts, styles, translations, and the Python behind them."""
