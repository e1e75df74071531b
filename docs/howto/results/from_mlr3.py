"""mlr3: the scores of a benchmark; classif.ce is an error, so it is negated.

In R: scores = bmr$score(msr("classif.ce")), then
data.table::fwrite(scores[, .(nr, task_id, learner_id, resampling_id, iteration, classif.ce)],
"scores.csv"), without the columns of objects.
"""

import tempfile
from pathlib import Path

from sklearn_stats_compare import compare

SCORES = """\
nr,task_id,learner_id,resampling_id,iteration,classif.ce
1,sonar,classif.rpart,cv,1,0.2559
1,sonar,classif.rpart,cv,2,0.2943
1,sonar,classif.rpart,cv,3,0.2899
1,sonar,classif.rpart,cv,4,0.2563
1,sonar,classif.rpart,cv,5,0.2205
1,sonar,classif.rpart,cv,6,0.2642
1,sonar,classif.rpart,cv,7,0.3081
1,sonar,classif.rpart,cv,8,0.2726
1,sonar,classif.rpart,cv,9,0.3512
1,sonar,classif.rpart,cv,10,0.2985
2,sonar,classif.ranger,cv,1,0.1491
2,sonar,classif.ranger,cv,2,0.1681
2,sonar,classif.ranger,cv,3,0.1854
2,sonar,classif.ranger,cv,4,0.1860
2,sonar,classif.ranger,cv,5,0.1639
2,sonar,classif.ranger,cv,6,0.1852
2,sonar,classif.ranger,cv,7,0.2621
2,sonar,classif.ranger,cv,8,0.1993
2,sonar,classif.ranger,cv,9,0.1763
2,sonar,classif.ranger,cv,10,0.1567
"""

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "scores.csv"
    path.write_text(SCORES)
    comparison = compare(
        path,
        model="learner_id",
        split="iteration",
        value="classif.ce",
        rope=0.02,
        test_train_ratio=1 / 9,  # ten folds
    )
print(comparison)

assert comparison.metric == "neg_classif.ce"
assert comparison.leader == "classif.ranger"  # the lowest error
assert "classif.ce is lower for better models" in comparison.note
