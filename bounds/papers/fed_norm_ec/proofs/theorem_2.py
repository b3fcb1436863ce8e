"""The proof of Theorem 2 (A.thm2), display by display."""

from bounds.language.statement import Step

STEPS = (
    Step(
        "A.thm2.s1",
        r"\left\|v_{i}^{k}-\frac{x^{k}-\mathcal{T}_{i}(x^{k})}{\gamma}\right\|\leq\max_{i\in[1,M]}"
        r"\left\|v_{i}^{0}-\frac{x^{0}-\mathcal{T}_{i}(x^{0})}{\gamma}\right\|.",
        "claim, by induction over k; the base case k = 0 is immediate",
    ),
    Step(
        "A.thm2.s2",
        r"\left\|\mathcal{T}_{i}(x^{k+1})-\mathcal{T}_{i}(x^{k})\right\|\leq 2\eta.",
        "Lemma 9: the local operator moves by at most 2 eta",
        ("A.lem9.c3",),
    ),
    Step(
        "A.thm2.s3",
        r"\left\|v_{i}^{k+1}-\frac{x^{k+1}-\mathcal{T}_{i}(x^{k+1})}{\gamma}\right\|\leq R",
        "Lemma 1 with rho = 2 and C = R; closes the induction",
        ("A.lem1", "A.thm2.s1", "A.thm2.s2", "A.thm2.h3", "A.thm2.h5"),
    ),
    Step(
        "A.thm2.s4",
        r"\left\|v_{i}^{k+1}-\frac{x^{k}-\mathcal{T}_{i}(x^{k})}{\gamma}\right\|\leq\max_{i\in[1,M]}"
        r"\left\|v_{i}^{0}-\frac{x^{0}-\mathcal{T}_{i}(x^{0})}{\gamma}\right\|",
        "second claim of Lemma 1",
        ("A.lem1", "A.thm2.s1", "A.thm2.s2", "A.thm2.h3", "A.thm2.h5"),
    ),
    Step(
        "A.thm2.s5",
        r"f(x^{k+1})-f^{\inf} \leq f(x^{k})-f^{\inf}-\eta\left\|\nabla f(x^{k})\right\|+2\eta"
        r"\left\|\nabla f(x^{k})-\hat{v}^{k+1}\right\|+\frac{L\eta^{2}}{2}",
        "Lemma 4 with the direction G^k = hat v^(k+1)",
        ("A.lem4",),
    ),
    Step(
        "A.thm2.s6",
        r"\leq & f(x^{k})-f^{\inf}-\eta\left\|\nabla f(x^{k})\right\|+2\eta\left\|\nabla f(x^{k})"
        r"-v^{k+1}\right\|\\",
        "triangle inequality; v^(k+1) is the mean of the memories v_i^(k+1)",
        ("A.thm2.s5",),
    ),
    Step(
        "A.thm2.s6",
        r"&+2\eta\left\|\hat{v}^{k+1}-v^{k+1}\right\|+\frac{L\eta^{2}}{2},",
        "the display, continued",
    ),
    Step(
        "A.thm2.s7",
        r"\left\|\nabla f(x^{k})-v^{k+1}\right\| = \left\|\nabla f(x^{k})-"
        r"\frac{1}{M}\sum_{i=1}^{M}v^{k+1}_{i}\right\|",
        "definition of v^(k+1)",
    ),
    Step(
        "A.thm2.s8",
        r"\leq \frac{1}{M}\sum_{i=1}^{M}\left\|v_{i}^{k+1}-\nabla f_{i}(x^{k})\right\|",
        "triangle inequality",
        ("A.thm2.s7",),
    ),
    Step(
        "A.thm2.s9",
        r"\leq & \frac{1}{M}\sum_{i=1}^{M}\left\|v_{i}^{k+1}-"
        r"\frac{x^{k}-\mathcal{T}_{i}(x^{k})}{\gamma}\right\|\\",
        "triangle inequality",
        ("A.thm2.s8",),
    ),
    Step(
        "A.thm2.s9",
        r"&+\frac{1}{M}\sum_{i=1}^{M}\left\|\frac{x^{k}-\mathcal{T}_{i}(x^{k})}{\gamma}"
        r"-\nabla f_{i}(x^{k})\right\|,",
        "the display, continued",
    ),
    Step(
        "A.thm2.s10",
        r"\left\|\nabla f(x^{k})-v^{k+1}\right\|\leq\frac{1}{M}\sum_{i=1}^{M}\left\|v_{i}^{k+1}-"
        r"\frac{x^{k}-\mathcal{T}_{i}(x^{k})}{\gamma}\right\|+\frac{1}{\gamma}\frac{1}{M}\sum_{i=1}^{M}"
        r"\left\|x^{k}-\mathcal{T}_{i}(x^{k})-\gamma\nabla f_{i}(x^{k})\right\|.",
        "take 1/gamma out",
        ("A.thm2.s9",),
    ),
    Step(
        "A.thm2.s11",
        r"f(x^{k+1})-f^{\inf} \leq & f(x^{k})-f^{\inf}-\eta\left\|\nabla f(x^{k})\right\|+2\eta"
        r"\frac{1}{M}\sum_{i=1}^{M}\left\|v_{i}^{k+1}-"
        r"\frac{x^{k}-\mathcal{T}_{i}(x^{k})}{\gamma}\right\|\\",
        "insert s10 in s6",
        ("A.thm2.s6", "A.thm2.s10"),
    ),
    Step(
        "A.thm2.s11",
        r"&+\frac{2\eta}{\gamma}\frac{1}{M}\sum_{i=1}^{M}\left\|(x^{k}-\gamma\nabla f_{i}(x^{k}))"
        r"-\mathcal{T}_{i}(x^{k})\right\|+2\eta\left\|\hat{v}^{k+1}-v^{k+1}\right\|+\frac{L\eta^{2}}{2}.",
        "the display, continued",
    ),
    Step(
        "A.thm2.s12",
        r"f(x^{k+1})-f^{\inf} \leq & f(x^{k})-f^{\inf}-\eta\left\|\nabla f(x^{k})\right\|+2\eta R\\",
        "the memory error is at most R",
        ("A.thm2.s4", "A.thm2.s11"),
    ),
    Step(
        "A.thm2.s12",
        r"&+\frac{2\eta}{\gamma}\frac{1}{M}\sum_{i=1}^{M}\left\|(x^{k}-\gamma\nabla f_{i}(x^{k}))"
        r"-\mathcal{T}_{i}(x^{k})\right\|+2\eta\left\|\hat{v}^{k+1}-v^{k+1}\right\|+\frac{L\eta^{2}}{2}.",
        "the display, continued",
    ),
    Step(
        "A.thm2.s13",
        r"f(x^{k+1})-f^{\inf} \leq & f(x^{k})-f^{\inf}-\eta\left\|\nabla f(x^{k})\right\|+2\eta R\\",
        "Lemma 9: distance of the local operator from a gradient step",
        ("A.thm2.s12", "A.lem9.c4"),
    ),
    Step(
        "A.thm2.s13",
        r"&+\frac{2\eta}{\gamma}\gamma L\frac{1}{M}\sum^{M}_{i=1}\frac{1}{N}\sum^{N-1}_{j=0}"
        r"\left\|x^{k,j}_{i}-x^{k}\right\|+2\eta\left\|\hat{v}^{k+1}-v^{k+1}\right\|+\frac{L\eta^{2}}{2}.",
        "the display, continued",
    ),
    Step(
        "A.thm2.s14",
        r"f(x^{k+1})-f^{\inf} \leq & \left(1+"
        r"\frac{4L\sqrt{2L}}{\sqrt{\Delta^{\inf}}}\gamma\eta\right)(f(x^{k})-f^{\inf})-\eta"
        r"\left\|\nabla f(x^{k})\right\|+2\eta R\\",
        "Lemma 8",
        ("A.thm2.s13", "A.lem8"),
    ),
    Step(
        "A.thm2.s14",
        r"&+4L\sqrt{2L}\gamma\eta\sqrt{\Delta^{\inf}}+4L\sqrt{2L}\gamma\eta"
        r"\sqrt{\frac{1}{M}\sum^{M}_{i=1}\Delta^{\inf}_{i}}\\",
        "the display, continued",
    ),
    Step(
        "A.thm2.s14",
        r"&+2\eta\left\|\hat{v}^{k+1}-v^{k+1}\right\|+\frac{L\eta^{2}}{2}.",
        "the display, continued",
    ),
    Step(
        "A.thm2.s15",
        r"{\rm E}\left[\left\|\hat{v}^{k+1}-v^{k+1}\right\|\right] \leq \frac{1}{\gamma}{\rm E}\left["
        r"\left\|\frac{1}{M}\sum_{i=1}^{M}v_{i}^{k+1}-\hat{v}^{k+1}\right\|\right]",
        "definition of v^(k+1)",
    ),
    Step(
        "A.thm2.s16",
        r"\leq \frac{1}{\gamma}\sqrt{\frac{\beta^{2}B}{M}(K+1)},",
        "Lemma 3",
        ("A.thm2.s15", "A.lem3"),
    ),
    Step(
        "A.thm2.s17",
        r"{\rm E}\left[f(x^{k+1})-f^{\inf}\right] \leq & \left(1+"
        r"\frac{4L\sqrt{2L}}{\sqrt{\Delta^{\inf}}}\gamma\eta\right){\rm E}\left[f(x^{k})-f^{\inf}\right]"
        r"-\eta{\rm E}\left[\left\|\nabla f(x^{k})\right\|\right]+2\eta R\\",
        "expectation of s14 with s16",
        ("A.thm2.s14", "A.thm2.s16"),
    ),
    Step(
        "A.thm2.s17",
        r"&+8L\sqrt{2L}\gamma\eta\sqrt{\Delta^{\inf}}+4L\sqrt{2L}\gamma\eta"
        r"\sqrt{\frac{1}{M}\sum^{M}_{i=1}\Delta^{\inf}_{i}}\\",
        "the display, continued",
    ),
    Step(
        "A.thm2.s17",
        r"&+2\eta\sqrt{\frac{\beta^{2}B}{M}(K+1)}+\frac{L\eta^{2}}{2}.",
        "the display, continued",
    ),
    Step(
        "A.thm2.s18",
        r"\eta\gamma\leq\frac{1}{K+1}\frac{\Delta^{\inf}}{4L\sqrt{2L}}",
        "step-size condition under which Lemma 5 is applied",
        ("A.thm2.h4", "A.thm2.h5"),
    ),
    Step(
        "A.thm2.s19",
        r"(1+\eta\gamma\frac{4L\sqrt{2L}}{\Delta^{\inf}})^{K+1}\leq\exp(\eta\gamma"
        r"\frac{4L\sqrt{2L}}{\Delta^{\inf}}(K+1))\leq\exp(1)\leq 3",
        "(1 + x/(K+1))^(K+1) <= exp(x) <= 3 where x <= 1; the conclusion follows by Lemma 5",
        ("A.thm2.s17", "A.thm2.s18", "A.lem5"),
    ),
)
