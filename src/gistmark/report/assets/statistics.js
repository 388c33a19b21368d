// Correlation of two equally long lists of numbers; null where it is not defined.

function pearson(xs, ys) {
  const n = xs.length;
  if (n < 2) return null;
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / n;
  const mx = mean(xs);
  const my = mean(ys);
  let xy = 0, xx = 0, yy = 0;
  for (let i = 0; i < n; i += 1) {
    const dx = xs[i] - mx;
    const dy = ys[i] - my;
    xy += dx * dy;
    xx += dx * dx;
    yy += dy * dy;
  }
  return xx > 0 && yy > 0 ? xy / Math.sqrt(xx * yy) : null;
}

// Ranks from 1; values that are equal share the mean of their ranks.
function ranks(values) {
  const order = values.map((_, i) => i).sort((a, b) => values[a] - values[b]);
  const result = new Array(values.length);
  for (let start = 0; start < order.length;) {
    let end = start;
    while (end + 1 < order.length && values[order[end + 1]] === values[order[start]]) end += 1;
    for (let i = start; i <= end; i += 1) result[order[i]] = (start + end) / 2 + 1;
    start = end + 1;
  }
  return result;
}

function spearman(xs, ys) {
  return pearson(ranks(xs), ranks(ys));
}

// The same look as numbers have in the tables: what is not zero never looks like it.
function show(value) {
  if (value === null || value === undefined) return "—";
  const size = Math.abs(value);
  if (size < 1e-9) return "0.000";
  let decimals = size < 10 ? 3 : size < 100 ? 2 : size < 1000 ? 1 : 0;
  while (decimals < 9 && Number(size.toFixed(decimals)) === 0) decimals += 1;
  return value.toLocaleString("en-US", {
    minimumFractionDigits: decimals, maximumFractionDigits: decimals,
  }).replace("-", "−");
}

// At most about six round numbers between two bounds.
function ticks(low, high) {
  const rough = (high - low) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((k) => k * power).find((size) => size >= rough);
  const result = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9; k += 1) {
    result.push(Number((k * step).toPrecision(10)));
  }
  return result;
}
