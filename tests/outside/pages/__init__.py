"""What `page.py` is made of."""
