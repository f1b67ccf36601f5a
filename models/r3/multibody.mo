{ The multibody library of the robot. @mbs as mbs instead of this line gives the same motion, with a larger system of equations. }

@mbssim as mbs
