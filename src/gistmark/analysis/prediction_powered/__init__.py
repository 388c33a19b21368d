"""People and metrics together: means of systems where people judged only some documents."""

from gistmark.analysis.prediction_powered.estimates import Powered, powered_estimates
from gistmark.analysis.prediction_powered.means import Population, powered_mean

__all__ = ["Population", "Powered", "powered_estimates", "powered_mean"]
