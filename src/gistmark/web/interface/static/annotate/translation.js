// The sentences of the page in its language. The page brings a catalogue in a block of JSON: each
// English sentence with its translation, or with one for each plural form (zero, one, two, few,
// many, other). A sentence that the catalogue lacks is shown in English.
//
// `make messages` collects what is wrapped: a sentence must be a plain string literal, and what
// varies in it is named, as in "Step %(number)s of %(count)s".

const { language, sentences } = catalogue();

// Digits are those of the keyboard and of the server's pages in every language.
const LOCALE = `${language}-u-nu-latn`;
const PLURALS = new Intl.PluralRules(language);
const NUMBERS = new Intl.NumberFormat(LOCALE);

export function gettext(sentence) {
  return sentences[sentence] ?? sentence;
}

// The form that goes with a number, with the number at its %(count)s.
export function ngettext(singular, plural, count) {
  const forms = sentences[singular];
  const form = forms?.[PLURALS.select(count)] ?? forms?.other;
  return interpolate(form ?? (count === 1 ? singular : plural), { count });
}

// A sentence with its values; numbers are written as the language does.
export function interpolate(sentence, values) {
  return pieces(sentence, values).join("");
}

// The same for values that are elements: the texts and elements of a sentence, in its order.
export function pieces(sentence, values) {
  return sentence.split(/%\((\w+)\)s/).map((piece, index) => {
    if (index % 2 === 0) return piece;
    return piece in values ? written(values[piece]) : `%(${piece})s`;
  }).filter((piece) => piece !== "");
}

export function formatNumber(number) {
  return NUMBERS.format(number);
}

export function formatTime(date) {
  return date.toLocaleTimeString(LOCALE, { hour: "2-digit", minute: "2-digit" });
}

function written(value) {
  return typeof value === "number" ? formatNumber(value) : value;
}

function catalogue() {
  const block = document.getElementById("translation");
  return block ? JSON.parse(block.textContent) : { language: "en", sentences: {} };
}
