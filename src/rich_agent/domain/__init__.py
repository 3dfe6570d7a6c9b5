"""Pure values and rules of the product: no IO, no clock, no imports from other layers."""
