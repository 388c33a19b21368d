"""How dates are written where Django's own formats of a language are not those of these pages."""
