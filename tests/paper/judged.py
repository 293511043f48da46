"""The verdicts of the paper's sentences on made-up results."""

from study.madeup import verdicts


def verdicts_of(item, results, *texts):
    """The verdict of every judge of an item in the sentences of some modules, as a letter, by the name of the claim."""
    judges = {
        judge.name: judge
        for text in texts
        for sentence in text.SENTENCES
        for judge in sentence.judges
        if judge.item == item.name
    }
    return verdicts(judge.claim(results) for judge in judges.values())
