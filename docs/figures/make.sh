#!/bin/sh
# Makes the figures of the docs again, byte for byte on one environment: docs/figures/make.sh, from the top folder.
set -e
fedbounds=${FEDBOUNDS:-.venv/bin/fedbounds}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Exit code 1: the bound is violated, which is what the figure shows.
"$fedbounds" compare run als_dpfl.theorem_1.distance --variant printed --over B=1:16 --set x=1 --cell homogeneous \
    --out "$work/run" || [ $? -eq 1 ]
"$fedbounds" compare bounds dp_fedavg.theorem_2 --over E=1:12 C_hat=0.2:3:60 --set L=1 K=100 D0=1 alpha=2 rho=1/10 \
    Delta_star_max=0.05 Delta_star_mean=0.005 --out "$work/map"
"$fedbounds" worst fedavg --over local_step=0.1:2:20 --set n=1000 E=4 K=2 L=1 D0=1 zeta_star=1 --figure "$work/worst"

"$fedbounds" plan dp_fedavg.theorem_2 --problem breast_cancer --epsilon 4 --delta 1e-5 --relation add-or-remove --rounds 200 \
    --replicates 8 --out "$work/plan" --set clients=10 l2=0.1
"$fedbounds" plan dp_fedavg.theorem_2 --problem quadratic.gaussian_factors --epsilon 5 --delta 1e-6 --relation add-or-remove \
    --rounds 500 --start 0.5 --replicates 4 --out "$work/paper"

"$fedbounds" plan dp_fedavg.theorem_2 --problem wine --epsilon 8 --delta 1e-5 --relation add-or-remove --rounds 100 \
    --replicates 8 --out "$work/wine" --set clients=8 l2=0.1
"$fedbounds" plan dp_fedavg.theorem_2 --problem digits --epsilon 16 --delta 1e-5 --relation add-or-remove --rounds 100 \
    --replicates 8 --out "$work/digits" --set clients=20 l2=0.1

cp "$work/run/figure.svg" docs/figures/bound_against_run.svg
cp "$work/map/figure.svg" docs/figures/bound_over_two_parameters.svg
cp "$work/worst/figure.svg" docs/figures/worst_case.svg
cp "$work/plan/figure.svg" docs/figures/plan_breast_cancer.svg
cp "$work/paper/figure.svg" docs/figures/plan_section_5_3.svg
cp "$work/wine/figure.svg" docs/figures/plan_wine.svg
cp "$work/digits/figure.svg" docs/figures/plan_digits.svg
