"""The proof of Theorem 1 (A.thm1), display by display."""

from bounds.language.statement import Step

STEPS = (
    Step(
        "A.thm1.s1",
        r"\left\|v_{i}^{k}-\frac{x^{k}-\mathcal{T}_{i}(x^{k})}{\gamma}\right\|\leq\max_{i\in[1,M]}"
        r"\left\|v_{i}^{0}-\frac{x^{0}-\mathcal{T}_{i}(x^{0})}{\gamma}\right\|.",
        "claim, by induction over k; the base case k = 0 is immediate",
    ),
    Step(
        "A.thm1.s2",
        r"\left\|\mathcal{T}_{i}(x^{k+1})-\mathcal{T}_{i}(x^{k})\right\|\leq 2\eta.",
        "Lemma 7: the local operator moves by at most 2 eta",
        ("A.lem7.c4",),
    ),
    Step(
        "A.thm1.s3",
        r"\left\|v_{i}^{k+1}-\frac{x^{k+1}-\mathcal{T}_{i}(x^{k+1})}{\gamma}\right\|\leq R",
        "Lemma 1 with rho = 2 and C = R; closes the induction",
        ("A.lem1", "A.thm1.s1", "A.thm1.s2", "A.thm1.h2", "A.thm1.h4"),
    ),
    Step(
        "A.thm1.s4",
        r"\left\|v_{i}^{k+1}-\frac{x^{k}-\mathcal{T}_{i}(x^{k})}{\gamma}\right\|\leq\max_{i\in[1,M]}"
        r"\left\|v_{i}^{0}-\frac{x^{0}-\mathcal{T}_{i}(x^{0})}{\gamma}\right\|",
        "second claim of Lemma 1",
        ("A.lem1", "A.thm1.s1", "A.thm1.s2", "A.thm1.h2", "A.thm1.h4"),
    ),
    Step(
        "A.thm1.s5",
        r"f(x^{k+1})-f^{\inf} \leq f(x^{k})-f^{\inf}-\eta\left\|\nabla f(x^{k})\right\|+2\eta"
        r"\left\|\nabla f(x^{k})-\hat{v}^{k+1}\right\|+\frac{L\eta^{2}}{2}",
        "Lemma 4 with the direction G^k = hat v^(k+1)",
        ("A.lem4",),
    ),
    Step(
        "A.thm1.s6",
        r"\leq & f(x^{k})-f^{\inf}-\eta\left\|\nabla f(x^{k})\right\|+2\eta\left\|\nabla f(x^{k})"
        r"-v^{k+1}\right\|\\",
        "triangle inequality; v^(k+1) is the mean of the memories v_i^(k+1)",
        ("A.thm1.s5",),
    ),
    Step(
        "A.thm1.s6",
        r"&+2\eta\left\|\hat{v}^{k+1}-v^{k+1}\right\|+\frac{L\eta^{2}}{2},",
        "the display, continued",
    ),
    Step(
        "A.thm1.s7",
        r"\left\|\nabla f(x^{k})-v^{k+1}\right\| = \left\|\nabla f(x^{k})-"
        r"\frac{1}{M}\sum_{i=1}^{M}v^{k+1}_{i}\right\|",
        "definition of v^(k+1)",
    ),
    Step(
        "A.thm1.s8",
        r"\leq \frac{1}{M}\sum_{i=1}^{M}\left\|v_{i}^{k+1}-\nabla f_{i}(x^{k})\right\|",
        "triangle inequality",
        ("A.thm1.s7",),
    ),
    Step(
        "A.thm1.s9",
        r"\leq \frac{1}{M}\sum_{i=1}^{M}\left\|v_{i}^{k+1}-"
        r"\frac{x^{k}-\mathcal{T}_{i}(x^{k})}{\gamma}\right\|+\frac{1}{M}\sum_{i=1}^{M}\left\|"
        r"\frac{x^{k}-\mathcal{T}_{i}(x^{k})}{\gamma}-\nabla f_{i}(x^{k})\right\|,",
        "triangle inequality",
        ("A.thm1.s8",),
    ),
    Step(
        "A.thm1.s10",
        r"\left\|\nabla f(x^{k})-v^{k+1}\right\|\leq\frac{1}{M}\sum_{i=1}^{M}\left\|v_{i}^{k+1}-"
        r"\frac{x^{k}-\mathcal{T}_{i}(x^{k})}{\gamma}\right\|+\frac{1}{\gamma}\frac{1}{M}\sum_{i=1}^{M}"
        r"\left\|x^{k}-\mathcal{T}_{i}(x^{k})-\gamma\nabla f_{i}(x^{k})\right\|.",
        "take 1/gamma out",
        ("A.thm1.s9",),
    ),
    Step(
        "A.thm1.s11",
        r"f(x^{k+1})-f^{\inf} \leq & f(x^{k})-f^{\inf}-\eta\left\|\nabla f(x^{k})\right\|+2\eta"
        r"\frac{1}{M}\sum_{i=1}^{M}\left\|v_{i}^{k+1}-"
        r"\frac{x^{k}-\mathcal{T}_{i}(x^{k})}{\gamma}\right\|\\",
        "insert s10 in s6",
        ("A.thm1.s6", "A.thm1.s10"),
    ),
    Step(
        "A.thm1.s11",
        r"&+\frac{2\eta}{\gamma}\frac{1}{M}\sum_{i=1}^{M}\left\|(x^{k}-\gamma\nabla f_{i}(x^{k}))"
        r"-\mathcal{T}_{i}(x^{k})\right\|+2\eta\left\|\hat{v}^{k+1}-v^{k+1}\right\|+\frac{L\eta^{2}}{2}.",
        "the display, continued",
    ),
    Step(
        "A.thm1.s12",
        r"f(x^{k+1})-f^{\inf} \leq & f(x^{k})-f^{\inf}-\eta\left\|\nabla f(x^{k})\right\|+2\eta R\\",
        "the memory error is at most R",
        ("A.thm1.s4", "A.thm1.s11"),
    ),
    Step(
        "A.thm1.s12",
        r"&+\frac{2\eta}{\gamma}\frac{1}{M}\sum_{i=1}^{M}\left\|(x^{k}-\gamma\nabla f_{i}(x^{k}))"
        r"-\mathcal{T}_{i}(x^{k})\right\|+2\eta\left\|\hat{v}^{k+1}-v^{k+1}\right\|+\frac{L\eta^{2}}{2}.",
        "the display, continued",
    ),
    Step(
        "A.thm1.s13",
        r"f(x^{k+1})-f^{\inf} \leq f(x^{k})-f^{\inf}-\eta\left\|\nabla f(x^{k})\right\|+2\eta R+2\eta"
        r"\left\|\hat{v}^{k+1}-v^{k+1}\right\|+\frac{L\eta^{2}}{2}.",
        "case T = 1: a single local step is a gradient step",
        ("A.thm1.s12",),
    ),
    Step(
        "A.thm1.s14",
        r"f(x^{k+1})-f^{\inf} \leq & f(x^{k})-f^{\inf}-\eta\left\|\nabla f(x^{k})\right\|+2\eta R\\",
        "case T > 1: Lemma 7",
        ("A.thm1.s12", "A.lem7.c5"),
    ),
    Step(
        "A.thm1.s14",
        r"&+4L\gamma\eta\frac{1}{M}\sum_{i=1}^{M}\left\|\nabla f_{i}(x^{k})\right\|+2\eta"
        r"\left\|\hat{v}^{k+1}-v^{k+1}\right\|+\frac{L\eta^{2}}{2}.",
        "the display, continued",
    ),
    Step(
        "A.thm1.s15",
        r"f(x^{k+1})-f^{\inf} \leq & f(x^{k})-f^{\inf}-\eta\left\|\nabla f(x^{k})\right\|+2\eta R\\",
        "both cases together",
        ("A.thm1.s13", "A.thm1.s14"),
    ),
    Step(
        "A.thm1.s15",
        r"&+\mathbb{I}_{T\neq 1}\left[4L\gamma\eta\frac{1}{M}\sum_{i=1}^{M}"
        r"\left\|\nabla f_{i}(x^{k})\right\|\right]+2\eta\left\|\hat{v}^{k+1}-v^{k+1}\right\|+"
        r"\frac{L\eta^{2}}{2}.",
        "the display, continued",
    ),
    Step(
        "A.thm1.s16",
        r"f(x^{k+1})-f^{\inf} \leq & \left(1+"
        r"\frac{4L\sqrt{2L}}{\sqrt{\Delta^{\inf}}}\gamma\eta\right)(f(x^{k})-f^{\inf})-\eta"
        r"\left\|\nabla f(x^{k})\right\|+2\eta R\\",
        "Lemma 6",
        ("A.thm1.s15", "A.lem6"),
    ),
    Step(
        "A.thm1.s16",
        r"&+\mathbb{I}_{T\neq 1}\left[4L\sqrt{2L}\gamma\eta\sqrt{\Delta^{\inf}}\right]+2\eta"
        r"\left\|\hat{v}^{k+1}-v^{k+1}\right\|+\frac{L\eta^{2}}{2}.",
        "the display, continued",
    ),
    Step(
        "A.thm1.s17",
        r"{\rm E}\left[\left\|\hat{v}^{k+1}-v^{k+1}\right\|\right] \leq \frac{1}{\gamma}{\rm E}\left["
        r"\left\|\frac{1}{M}\sum_{i=1}^{M}v_{i}^{k+1}-\hat{v}^{k+1}\right\|\right]",
        "definition of v^(k+1)",
    ),
    Step(
        "A.thm1.s18",
        r"\leq \frac{1}{\gamma}\sqrt{\frac{\beta^{2}B}{M}(K+1)},",
        "Lemma 3",
        ("A.thm1.s17", "A.lem3"),
    ),
    Step(
        "A.thm1.s19",
        r"{\rm E}\left[f(x^{k+1})-f^{\inf}\right] \leq & \left(1+"
        r"\frac{4L\sqrt{2L}}{\sqrt{\Delta^{\inf}}}\gamma\eta\right){\rm E}\left[f(x^{k})-f^{\inf}\right]"
        r"-\eta{\rm E}\left[\left\|\nabla f(x^{k})\right\|\right]+2\eta R\\",
        "expectation of s16 with s18",
        ("A.thm1.s16", "A.thm1.s18"),
    ),
    Step(
        "A.thm1.s19",
        r"&+\mathbb{I}_{T\neq 1}\left[8L\sqrt{2L}\gamma\eta\sqrt{\Delta^{\inf}}\right]+2\eta"
        r"\sqrt{\frac{\beta^{2}B}{M}(K+1)}+\frac{L\eta^{2}}{2}.",
        "the display, continued",
    ),
    Step(
        "A.thm1.s20",
        r"\eta\gamma\leq\frac{1}{K+1}\frac{\Delta^{\inf}}{4L\sqrt{2L}}",
        "step-size condition under which Lemma 5 is applied",
        ("A.thm1.h3", "A.thm1.h4"),
    ),
    Step(
        "A.thm1.s21",
        r"(1+\eta\gamma\frac{4L\sqrt{2L}}{\Delta^{\inf}})^{K+1}\leq\exp(\eta\gamma"
        r"\frac{4L\sqrt{2L}}{\Delta^{\inf}}(K+1))\leq\exp(1)\leq 3",
        "(1 + x/(K+1))^(K+1) <= exp(x) <= 3 where x <= 1; the conclusion follows by Lemma 5",
        ("A.thm1.s19", "A.thm1.s20", "A.lem5"),
    ),
)
