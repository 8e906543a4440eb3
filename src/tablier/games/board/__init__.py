"""The board that Trictrac and backgammon share: its plan, and how to draw it as SVG, as a bitmap and as text.

Nothing here knows a game. Fields have White's numbers: 1-12 run from right to left along White's edge, at the bottom,
and 13-24 from left to right along Black's.
"""
