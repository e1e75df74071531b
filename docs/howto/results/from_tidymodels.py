"""tidymodels: the metrics of every resample, as collect_metrics(summarize = FALSE) has them.

In R: readr::write_csv(collect_metrics(results, summarize = FALSE), "metrics.csv"), where `results`
is a workflow set, or of tune_grid() or fit_resamples().
"""

import tempfile
from pathlib import Path

from sklearn_stats_compare import compare

METRICS = """\
wflow_id,.config,preproc,model,id,.metric,.estimator,.estimate
recipe_logistic_reg,Preprocessor1_Model1,recipe,logistic_reg,Fold01,accuracy,binary,0.8506
recipe_logistic_reg,Preprocessor1_Model1,recipe,logistic_reg,Fold02,accuracy,binary,0.9118
recipe_logistic_reg,Preprocessor1_Model1,recipe,logistic_reg,Fold03,accuracy,binary,0.8441
recipe_logistic_reg,Preprocessor1_Model1,recipe,logistic_reg,Fold04,accuracy,binary,0.8293
recipe_logistic_reg,Preprocessor1_Model1,recipe,logistic_reg,Fold05,accuracy,binary,0.8512
recipe_logistic_reg,Preprocessor1_Model1,recipe,logistic_reg,Fold06,accuracy,binary,0.8570
recipe_logistic_reg,Preprocessor1_Model1,recipe,logistic_reg,Fold07,accuracy,binary,0.8027
recipe_logistic_reg,Preprocessor1_Model1,recipe,logistic_reg,Fold08,accuracy,binary,0.8220
recipe_logistic_reg,Preprocessor1_Model1,recipe,logistic_reg,Fold09,accuracy,binary,0.8384
recipe_logistic_reg,Preprocessor1_Model1,recipe,logistic_reg,Fold10,accuracy,binary,0.8596
recipe_rand_forest,Preprocessor1_Model1,recipe,rand_forest,Fold01,accuracy,binary,0.8752
recipe_rand_forest,Preprocessor1_Model1,recipe,rand_forest,Fold02,accuracy,binary,0.8955
recipe_rand_forest,Preprocessor1_Model1,recipe,rand_forest,Fold03,accuracy,binary,0.9119
recipe_rand_forest,Preprocessor1_Model1,recipe,rand_forest,Fold04,accuracy,binary,0.9051
recipe_rand_forest,Preprocessor1_Model1,recipe,rand_forest,Fold05,accuracy,binary,0.8712
recipe_rand_forest,Preprocessor1_Model1,recipe,rand_forest,Fold06,accuracy,binary,0.8774
recipe_rand_forest,Preprocessor1_Model1,recipe,rand_forest,Fold07,accuracy,binary,0.8667
recipe_rand_forest,Preprocessor1_Model1,recipe,rand_forest,Fold08,accuracy,binary,0.9078
recipe_rand_forest,Preprocessor1_Model1,recipe,rand_forest,Fold09,accuracy,binary,0.9034
recipe_rand_forest,Preprocessor1_Model1,recipe,rand_forest,Fold10,accuracy,binary,0.8737
"""

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "metrics.csv"
    path.write_text(METRICS)
    comparison = compare(
        path,
        model="wflow_id",
        split="id",
        value=".estimate",
        metric="accuracy",
        test_train_ratio=1 / 9,  # ten folds
    )
print(comparison)

assert comparison.leader == "recipe_rand_forest"
assert comparison.metric == "accuracy"
assert comparison.scores.design.repeat.tolist() == [0] * 10  # one partition into ten folds
