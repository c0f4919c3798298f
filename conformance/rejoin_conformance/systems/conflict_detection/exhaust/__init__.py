"""Every interleaving up to a bound: `rejoin exhaust conflict-detection`.

`searches` says what is searched; `steps` and `states` how steps and states are written down;
`lean_designs` and `moves` what a step does; `group` searches the states between two uploads,
`rounds` all of them; `mismatches`, `traces` and `report` tell what was found.
"""
