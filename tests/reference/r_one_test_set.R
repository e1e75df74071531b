# Makes r_one_test_set.json: tests on one test set by base R and pROC, on scores with ties.
# Rscript tests/reference/r_one_test_set.R > tests/reference/r_one_test_set.json
suppressMessages(library(pROC))

n <- 60
truth <- as.integer((seq_len(n) * 7) %% 5 < 2) # 24 of 60
score1 <- round(truth + 1.4 * sin(seq_len(n)), 1) # rounded, so that there are ties
score2 <- round(truth + 1.1 * cos(2 * seq_len(n)) - 0.3 * sin(seq_len(n)), 1)

first <- roc(truth, score1, levels = c(0, 1), direction = "<", quiet = TRUE)
second <- roc(truth, score2, levels = c(0, 1), direction = "<", quiet = TRUE)
test <- roc.test(first, second, method = "delong", paired = TRUE)

right1 <- as.integer((score1 > 0.5) == truth)
right2 <- as.integer((score2 > 0.5) == truth)
counts <- table(factor(right1, 0:1), factor(right2, 0:1))

rates <- prop.test(c(7, 2), c(20, 25), correct = FALSE)

number <- function(x) format(as.numeric(x), digits = 16)
vector <- function(x) paste0("[", paste(number(x), collapse = ", "), "]")
cat(sprintf(
  paste0(
    '{"made_by": "%s, pROC %s",\n"truth": %s,\n"score1": %s,\n"score2": %s,\n',
    '"auc": %s,\n"var": %s,\n"cov": %s,\n"z": %s,\n"pvalue": %s,\n"conf_int": %s,\n',
    '"mcnemar_chi2": %s,\n"mcnemar_chi2_corrected": %s,\n"mcnemar_exact": %s,\n',
    '"fisher": %s,\n"fisher_greater": %s,\n"pooled_z2": %s,\n"pooled": %s}\n'
  ),
  R.version.string, packageVersion("pROC"),
  vector(truth), vector(score1), vector(score2),
  vector(c(auc(first), auc(second))), vector(c(var(first), var(second))), number(cov(first, second)),
  number(test$statistic), number(test$p.value), vector(test$conf.int),
  vector(with(mcnemar.test(counts, correct = FALSE), c(statistic, p.value))),
  vector(with(mcnemar.test(counts), c(statistic, p.value))),
  number(binom.test(counts[1, 2], counts[1, 2] + counts[2, 1])$p.value),
  number(fisher.test(matrix(c(7, 2, 13, 23), 2))$p.value),
  number(fisher.test(matrix(c(7, 2, 13, 23), 2), alternative = "greater")$p.value),
  number(rates$statistic), number(rates$p.value)
))
