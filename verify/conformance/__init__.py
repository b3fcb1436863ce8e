"""Does a user's code implement the listing of an algorithm, line by line?"""
