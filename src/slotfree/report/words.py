"""What each item shows and means, in our own words, as it comes out at the paper's scale."""

from typing import NamedTuple


class Words(NamedTuple):
    """About one item.

    Attributes
    ----------
    name : as the paper numbers it.
    title : its subject.
    text : what one sees, and what it means.
    alt : the figure in words, for those who do not see it.
    """

    name: str
    title: str
    text: str
    alt: str


def words_for(item: str, shows: str = "") -> Words:
    """Return the words about an item; of one that has none, its sentence has to do."""
    return WORDS.get(item) or Words(item, shows, f"{shows}." if shows else "", f"The figure of {item}: {shows}.")


WORDS = {
    "fig4": Words(
        "Figure 4",
        "How two memories fade",
        "Both memories have 100,000 weights: the 1-winner MHN, in effect a store with 100 slots, recalls the newest "
        "patterns without error and soon loses them, while the K-winner MHN starts lower, above a higher baseline, "
        "and fades more slowly. Measured against patterns never stored (d'), spreading each memory over many units is "
        "the better choice for all but the newest ten to twenty memories.",
        "Two rows of two panels, for 100% and for 50% cues, against memory age on a logarithmic axis. Upper row: "
        "accuracy of the K-winner and the 1-winner MHN for stored patterns and, dotted, for patterns never stored. "
        "Lower row: sensitivity d' of both, with bars at the ages where one of them reliably leads.",
    ),
    "figS1": Words(
        "Figure S1",
        "Raw difference, and how fast it decays",
        "The raw difference (R.D.) is the accuracy for stored patterns less that for patterns never stored; for both "
        "memories it falls exponentially with age, which is a straight line on the right. The 1-winner MHN starts "
        "higher and loses one per cent per stored pattern, as theory predicts, while the K-winner MHN starts lower "
        "and decays about half as fast.",
        "Two rows of two panels, for 100% and for 50% cues. Left: raw difference of both memories against age, with "
        "theory for the 1-winner MHN. Right: the same on a logarithmic axis, with exponential fits and their "
        "constants.",
    ),
    "figS2": Words(
        "Figure S2",
        "A K-winner memory with a wider fan-in",
        "Here each hidden unit sees a tenth of the input instead of a twentieth, and there are half as many units: "
        "new memories are recalled better, but they fade faster. The lead in d' over the 1-winner MHN is confined to "
        "ages from about 20 to 250, so fan-in trades the quality of new memories against the life of old ones.",
        "Three rows of two panels, for 100% and for 50% cues, against memory age: accuracy, raw difference, and "
        "sensitivity d' of the K-winner MHN with fan-in 0.1 and of the 1-winner MHN.",
    ),
    "figS3": Words(
        "Figure S3",
        "Graded and slower updates",
        "A 1-winner MHN that moves its weights only 30% of the way to each pattern recalls new patterns worse and old "
        "ones better, and at ages of several hundred its d' passes that of the K-winner MHN. A K-winner MHN that is "
        "slowed down as well stays ahead, so it is not slow learning alone that makes memories last.",
        "Two panels against memory age, for 100% cues. A: accuracy of the 1-winner MHN with learning rates 1 and 0.3, "
        "for patterns stored and never stored. B: sensitivity d' of the K-winner MHN with learning rates 0.3 and "
        "0.2, the graded MHN, and the 1-winner MHN.",
    ),
    "figS4": Words(
        "Figure S4",
        "How structured patterns grow",
        "Patterns grow as a tree: each child is a copy of its parent in which some active bits are moved, and the "
        "leaves, framed in blue, are the patterns to be stored. Patterns with a recent common ancestor are alike, as "
        "experiences of one kind are.",
        "A tree of ten small patterns, drawn as rows of five black or white cells. Dots mark the bits that differ "
        "from the parent; blue frames mark the leaves.",
    ),
    "figS5": Words(
        "Figure S5",
        "How alike structured patterns are",
        "The number b of bits moved from parent to child sets how alike the leaves of a tree are: about half of their "
        "active bits are shared for b = 5, and hardly more than by chance for b = 30. The blocks along the diagonals "
        "are families of patterns, which the histograms below do not show.",
        "Five columns for b = 5, 10, 15, 20 and 30. Upper row: matrices of similarity between leaves, ever darker as "
        "b grows. Lower row: histograms of the similarity of pairs with their means, moving towards 0.1.",
    ),
    "figS6": Words(
        "Figure S6",
        "Sensitivity for structured patterns",
        "From the most similar patterns (A) to unstructured ones (F), the K-winner MHN goes from worse than the "
        "1-winner MHN to clearly better, and draws level at a mean similarity near 0.28. Shared ensembles pay as long "
        "as patterns are not too much alike: where they are, memories interfere.",
        "Six panels of sensitivity d' against memory age for the K-winner and the 1-winner MHN, 100% cues: trees with "
        "b = 5, 10, 15, 20 and 30, and random patterns. Insets: histograms of similarity.",
    ),
    "figS7": Words(
        "Figure S7",
        "Accuracy for structured patterns",
        "Both memories recall a pattern that they never stored better if it comes from the tree that they learnt than "
        "if it has no structure: they generalise, and the more so the more alike patterns are. That gain raises the "
        "baseline as well, so high accuracy alone does not prove memory for the single pattern.",
        "Two rows, for 100% and for 50% cues, of five panels, for b = 5, 10, 15, 20 and 30: accuracy against memory "
        "age of the K-winner and the 1-winner MHN for stored patterns, unseen patterns of the same tree, and "
        "unstructured patterns.",
    ),
    "theorem1": Words(
        "Theorem 1",
        "Theory of the 1-winner memory",
        "Formulas for the accuracy of patterns no longer stored, for the raw difference, and for the smallest cue "
        "that still finds its pattern are set against simulations with 30 to 300 units. The printed, asymptotic "
        "formulas are a few hundredths off at these sizes; the exact expectation, which is as easy to compute, lies "
        "on the simulated points.",
        "Three panels. A: accuracy of patterns that are not stored, simulated and from theory, for three memory "
        "sizes, cue levels and sparsities. B: the same for the mean raw difference. C: least cue level against the "
        "permitted loss of accuracy.",
    ),
    "fig7": Words(
        "Figure 7",
        "Seven transformers on one task",
        "Each dot is one training run: the slot-based baseline and the slot-free QK model with input projections "
        "solve the task in every run, the models without projections end around 90%, and the MHN model with "
        "projections nearly solves it and then falls back. So local rules without a list of past items can match "
        "backpropagation through slots; panel C shows the baseline with three versions of its gradients.",
        "Three panels. A: accuracy at the end of training of each run, for seven models and two more versions of the "
        "baseline. B: median accuracy along training, with bands from the least to the largest. C: the baseline with "
        "exact gradients, with published ones, and with β = 1, next to the QK model.",
    ),
    "figS9": Words(
        "Figure S9",
        "What the baseline's weights represent",
        "After training, values encode the case of a letter, queries match the keys of their letter in both cases, "
        "and the keys of both cases of a letter match each other. This is the solution that the task asks for: keys "
        "say which letter, values say which case.",
        "Accuracy of one run of the baseline along training, and three heat maps: values by letter, in two rows for "
        "lowercase and uppercase; dot products of queries and keys; dot products of keys. Equal letters stand out as "
        "diagonals.",
    ),
    "figS10": Words(
        "Figure S10",
        "What the QK model's weights represent",
        "The slot-free model ends with the same structure as the baseline, and more of it: values encode case, "
        "queries match the keys of their letter, and keys ignore case. It gets there although nothing is sent back to "
        "past items and its keys learn only from the query and the blend of items that is reinstated for it.",
        "Accuracy of one run of the QK model with input projections along training, and three heat maps: values by "
        "letter; dot products of queries and keys; dot products of keys. Diagonals of equal letters are strong and "
        "clean.",
    ),
    "figS11": Words(
        "Figure S11",
        "The same comparison for the loss",
        "The loss tells apart models whose accuracy is the same: the QK model with input projections ends lowest, "
        "ahead of the baseline and of fixed keys. The loss of the MHN model with projections falls, rises again and "
        "slowly comes down, as its accuracy does in reverse.",
        "Two panels on logarithmic axes. A: loss at the end of training of each run, for seven models and two more "
        "versions of the baseline. B: median loss along training, with bands from the least to the largest.",
    ),
    "figS12": Words(
        "Figure S12",
        "How the baseline learns",
        "First the values learn case, and accuracy waits; then queries and keys take shape, together, and the loss "
        "falls a second time. Panel D counts it over all runs: the curve of the values rises long before the other "
        "two, which lie on each other.",
        "Accuracy and loss of one run of the baseline with four marked iterations; heat maps of values, keys and "
        "queries at these iterations, in which structure appears from left to right; and the strength of the three "
        "structures along training, over all runs.",
    ),
    "figS13": Words(
        "Figure S13",
        "How the QK model learns",
        "Values come first here too, but then queries align with keys well before the keys of both cases of a letter "
        "align with each other. The order follows from the rule: keys are drawn towards queries, and so become alike "
        "only once queries are right.",
        "Accuracy and loss of one run of the QK model with four marked iterations; heat maps of values, keys and "
        "queries at these iterations; and the strength of the three structures along training: values, then query and "
        "key, then key and key.",
    ),
    "tableS1": Words(
        "Table S1",
        "Keys of both cases",
        "Dots are our means of the dot products between uppercase and lowercase keys, diamonds the printed ones: for "
        "equal letters they should be high (A), for different letters not (B). Fixed keys show no such structure, the "
        "baseline and the QK models a strong one, and the printed baseline comes out only with the published "
        "gradients.",
        "Two panels with a row for each model: measured means of dot products of uppercase and lowercase keys with "
        "intervals, ranges within a run as grey bars, and printed means as diamonds. A: equal letters. B: different "
        "letters.",
    ),
    "tableS2": Words(
        "Table S2",
        "Queries and lowercase keys",
        "The same comparison for queries and the keys of lowercase letters: every model that learns has higher dot "
        "products for equal letters than for different ones, the QK models the highest. Here too the printed row of "
        "the baseline belongs to the published gradients, not to the exact ones.",
        "Two panels with a row for each model: measured means of dot products of queries and lowercase keys with "
        "intervals, ranges within a run as grey bars, and printed means as diamonds. A: equal letters. B: different "
        "letters.",
    ),
    "tableS3": Words(
        "Table S3",
        "Queries and uppercase keys",
        "The same for uppercase letters, with nearly the same numbers as for lowercase ones. Queries thus find a "
        "letter whatever its case, which is what the task needs.",
        "Two panels with a row for each model: measured means of dot products of queries and uppercase keys with "
        "intervals, ranges within a run as grey bars, and printed means as diamonds. A: equal letters. B: different "
        "letters.",
    ),
    "theorem2": Words(
        "Theorem 2",
        "Values learn first",
        "With queries and keys left as they were drawn, the values alone move to the case code, and come the nearer "
        "the larger keys, queries and batches are, as the theorem says. Its conditions are checked one by one; the "
        "step size may be far larger than it allows, and the slot-free model must be given storage without "
        "collisions.",
        "Six panels: distance of the values from the case code along training and for larger keys, with theory and "
        "the proof's bound; the columns of the values after training; the least eigenvalue of the proof's matrix; "
        "distance against step size, with the limits; and distance for several sizes of alphabet and context.",
    ),
    "fallback": Words(
        "Beyond the paper",
        "Why the MHN model falls back",
        "After its peak the MHN model with input projections makes the keys of letters that share a case alike, until "
        "items overwrite each other in storage and accuracy drops. Giving every item a unit of its own, or freezing "
        "the keys at the peak, prevents it, so the cause is storage and not attention.",
        "Six panels along training for the MHN model, the same with keys frozen at the peak, the same with perfect "
        "storage, and the QK model: accuracy, share of sequences whose queried item was overwritten, overlap of keys "
        "of the same and of the other case, length of keys, and cosine between the key update and the exact gradient.",
    ),
    "stackS1": Words(
        "Beyond the paper",
        "Conjunctions make patterns less similar: the worked example",
        "Two patterns that share two of their three ones share one of three when each pair of inputs has a unit of its "
        "own, as the SI says; it is so for all such patterns. Going back down the same connections restores each of "
        "them.",
        "Two rows of six squares, two patterns of which two active units coincide, beside two rows of fifteen squares, "
        "their codes over pairs of units, of which one active unit coincides.",
    ),
    "stackS2": Words(
        "Beyond the paper",
        "Similarity in, similarity out",
        "A sparse layer of k winners, or of Marr's codons, makes similar patterns less similar, the more so the "
        "sparser it is: the leaves of trees go from 0.5 to 0.3, and from 0.28 to 0.18. The price is that part of a "
        "pattern has another code too: half a cue keeps less than half of the code.",
        "Three panels of similarity of codes: against the similarity of two patterns for five codes, below the "
        "diagonal but for a dense codon; against the mean similarity of leaves of trees; and against the cue level.",
    ),
    "stackS3": Words(
        "Beyond the paper",
        "Does separation bring the K-winner's advantage back?",
        "Before the same hidden layer, separation makes older memories of similar patterns easier to tell from new "
        "ones, and at a mean similarity of 0.28 the advantage over the 1-winner MHN returns; at 0.49 it does not, "
        "except for the oldest memories and with few winners. Accuracy suffers, with half cues separation harms, and a "
        "plain K-winner MHN with fewer winners and more connections per unit does nearly as well without it.",
        "Nine panels against memory age, for trees with b = 5, 10 and 15: d' at 100% and at 50% cues, and accuracy at "
        "100% cues with that of patterns never stored, for the 1-winner, the K-winner, the stacked K-winner, and a "
        "plain and a stacked one with few winners.",
    ),
    "stackS4": Words(
        "Beyond the paper",
        "The way back from the code, and slow learning",
        "How much of a pattern its code restores depends on the number of active units, so that what separates best "
        "restores worst. Slow learning of the layer restores patterns of a tree much better, and helps little for "
        "random ones; but as it learns what patterns have in common, stored and new ones become harder to tell apart.",
        "Four panels: recovered ones against the share of active units for three sizes; recovered ones, and similarity "
        "of codes, against the number of patterns learned from, for two rules; d' by age with fixed and with slowly "
        "learning connections.",
    ),
    "stackS5": Words(
        "Beyond the paper",
        "The map of separation",
        "Similarity of codes follows their sparsity alone, recovery both sparsity and expansion. With 100,000 learned "
        "weights, d' of older memories rises with the share of active units although their codes become more similar: "
        "more separation alone does not make a better memory.",
        "Four maps over expansion (1, 2, 5 times) and sparsity (2% to 20%): similarity of codes, recovered ones, and "
        "d' of older memories for b = 5 and b = 10, next to the values of the plain memories.",
    ),
    "capacity": Words(
        "Beyond the paper",
        "How many patterns a modern Hopfield network holds",
        "The number of patterns that a softmax over slots retrieves grows exponentially with their size, as the SI "
        "says, if β is large enough: each eight more numbers multiply it by more than ten. Below an edge that theory "
        "predicts, too many patterns blend; there one step recalls more than iterating until the state rests, which "
        "drifts on to the blend.",
        "Four panels. A: heat map of the share of patterns not recalled against stored patterns and inverse "
        "temperature, with a sharp edge that a dashed line of theory follows. B: the same share against stored "
        "patterns after one step and at rest, for four values of β. C: the share for four sizes of patterns at β = ∞, "
        "on the curves of a law. D: patterns of which 1% are lost against size, a straight line on a logarithmic "
        "axis, far above that of a classical Hopfield network.",
    ),
    "baselines": Words(
        "Beyond the paper",
        "The K-winner MHN among other memories",
        "With 100,000 weights each, slots keep 100 patterns and nothing else, Willshaw's memory fills up and keeps "
        "nothing, and memories that decay fade slowly: a classical Hopfield network and Kanerva's memory, with decays "
        "chosen for this test, tell old patterns better than the K-winner MHN as the paper sets it. What the K-winner "
        "MHN recalls is closer to what was stored, and unlike Kanerva's memory it suffers little from partial cues.",
        "Six panels. Accuracy and sensitivity d' against memory age on a logarithmic axis for seven memories, with "
        "100% and with 50% cues; the area under the raw difference of each memory for both cues; and for Willshaw's "
        "memory the fraction of weights that are 1, which rises to 1, and its accuracy, which falls to chance, against "
        "the number of stored patterns.",
    ),
    "theoryK1": Words(
        "Theory of the K-winner memory",
        "Forgetting predicted without simulation",
        "Lines are computed from the settings alone, dots are simulated: the accuracy of patterns of every age is "
        "predicted for memories from one winner to two hundred, from tiny fan-ins to full ones. The maps below show "
        "the error for every memory of a grid, and the last panel that of memories drawn at random, which had no part "
        "in making the theory.",
        "Twelve panels. A to H: accuracy against memory age for eight memories and both cues, theory as lines and "
        "simulation as dots with error bars. I to K: mean absolute error for each fan-in and number of winners, for "
        "three learning rates. L: mean absolute error of twelve memories held out, both cues.",
    ),
    "theoryK2": Words(
        "Map of the family",
        "What 100,000 weights can do",
        "Every grey dot is a memory with as many weights as the paper's: what is recalled better at first is forgotten "
        "sooner, because each pattern overwrites a share ε k_h/n_h of the memory. Fully connected units with two or "
        "three winners remember more than the paper's K-winner memories, summed over all ages, and most of all for "
        "partial cues; the right panels show what they pay, a less certain outcome for single patterns.",
        "Two rows, for 100% and for 50% cues, of three panels. Left and middle: half-life and sum of the raw "
        "difference against the accuracy of the newest pattern, with all memories of the family, the Pareto front, "
        "simulated members of it, and the five memories of the paper. Right: sensitivity d' against age for five of "
        "them.",
    ),
    "theoryK3": Words(
        "Growth",
        "How memory grows with the number of weights",
        "If all sizes grow in proportion, a memory becomes accurate but hardly lives longer: its half-life grows like "
        "a logarithm, as every pattern still uses the same share of the units. If the number of winners stays fixed, "
        "half-life and number of memories grow with the square root of the number of weights, to tens of thousands of "
        "patterns at the size of a rat's CA3.",
        "Two rows, for 100% and for 50% cues, of two panels on logarithmic axes: half-life of the raw difference, and "
        "number of patterns above a criterion, against the number of weights from ten thousand to billions, for five "
        "ways of growing, with simulated memories of up to 400,000 weights.",
    ),
}
