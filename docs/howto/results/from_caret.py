"""caret: the values of resamples(), with a column for each model and metric.

In R: write.csv(resamples(list(RF = fit_rf, GBM = fit_gbm))$values, "resamples.csv"). The function
checks that the models have the same resamples.
"""

from io import StringIO

import pandas as pd

from sklearn_stats_compare import compare

VALUES = """\
"","Resample","RF~Accuracy","RF~Kappa","GBM~Accuracy","GBM~Kappa"
"1","Fold01",0.8554,0.7107,0.8924,0.7849
"2","Fold02",0.8699,0.7398,0.8921,0.7843
"3","Fold03",0.8802,0.7604,0.8682,0.7364
"4","Fold04",0.9134,0.8268,0.8711,0.7422
"5","Fold05",0.8548,0.7097,0.8996,0.7992
"6","Fold06",0.8452,0.6903,0.8828,0.7657
"7","Fold07",0.8834,0.7668,0.8755,0.7510
"8","Fold08",0.8597,0.7194,0.8363,0.6726
"9","Fold09",0.8915,0.7829,0.8751,0.7502
"10","Fold10",0.9261,0.8523,0.9001,0.8002
"""

values = pd.read_csv(StringIO(VALUES), index_col="Resample")  # a file: "resamples.csv"
accuracy = values.filter(like="~Accuracy").rename(columns=lambda name: name.partition("~")[0])
comparison = compare(accuracy, metric="Accuracy", test_train_ratio=1 / 9)  # ten folds
print(comparison.frequentist()[["model_1", "model_2", "mean_diff", "verdict"]])

assert sorted(comparison.labels) == ["GBM", "RF"]
assert comparison.metric == "Accuracy"
assert comparison.scores.n_splits == 10
