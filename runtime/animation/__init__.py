"""Results of multibody models as moving pictures: a page that plays them, and glTF."""
