// How the documents are searched: by the MCP server, and on the site, which serves this file without its types.

/** Records and lists name everything once; the page that explains it comes first. */
const LISTS = /^(?:decisions\/|changelog|reference\/|asvs|attacks|database|code-tour)/
/** Words of questions, which every section has. */
const COMMON = new Set(
  'a an and any are be by can do does for get happen happens has have how i if in is it many much my need of on or our support supported the there to use was we weir what when where which who why with without you your'.split(
    ' ',
  ),
)

/** Words that others use, and those of the documents. These are searched as well: a page may have the word that was typed. */
const SYNONYMS                                   = {
  '2fa': 'second factors',
  mfa: 'second factors',
  soc2: 'soc certified',
  licence: 'license',
  licences: 'license',
  edition: 'fee cut',
  paid: 'cost',
  paging: 'lists limit offset integrate',
  pagination: 'lists limit offset integrate',
  paginate: 'lists limit offset integrate',
  graceful: 'sigterm',
  shutdown: 'stop sigterm',
  health: 'ready monitor',
  healthcheck: 'ready monitor',
  tenant: 'companies share installation',
  tenants: 'tenant companies share installation',
  maker: 'requester',
  checker: 'requester',
  lag: 'behind',
  duplicates: 'twice order guaranteed',
  timeout: 'respond',
  retention: 'deleted',
  size: 'mib large body',
  minimum: 'mindeposit format',
  away: 'disappears',
}

/** MiniSearch's settings for passages with an `id`, `page`, `title`, `heading` and `text`. */
export const SEARCH = {
  fields: ['title', 'heading', 'text'],
  storeFields: ['page'],
  processTerm: wordsOf,
  searchOptions: {
    boost: { heading: 4, title: 3 },
    boostDocument: (_id         , _term        , stored                          ) =>
      LISTS.test(String(stored?.page)) ? 0.5 : 1,
    // The beginning of a word, and longer words with a typing error.
    prefix: (term        ) => term.length > 2,
    fuzzy: (term        ) => (term.length > 4 ? 0.2 : false),
    // A word that was typed comes before those that only resemble it: "ethers" before "others".
    weights: { fuzzy: 0.2, prefix: 0.4 },
  },
}

/** A question without the words that every section has; the question itself if it has no others. */
export function tellingWords(question        )         {
  const telling = question
    .toLowerCase()
    .split(/[^\p{L}\p{N}_]+/u)
    .filter((word) => word !== '' && !COMMON.has(word))
    .flatMap((word) => {
      const stem = stemOf(word)
      return [word, ...(stem === word ? [] : [stem]), ...(Object.hasOwn(SYNONYMS, word) ? [SYNONYMS[word]] : [])]
    })
  return telling.length > 0 ? telling.join(' ') : question
}

/**
 * What the forms of a word begin with: `settl` of settle, settling, settled and settlements. The search takes it for the
 * beginning of a word, so it need not be one.
 */
export function stemOf(word        )         {
  const form = FORMS.find(({ ending, least }) => ending.test(word) && word.replace(ending, '').length >= least)
  return form === undefined ? word : word.replace(form.ending, '').replace(/(?<=...)([bdglmnprt])\1$/, '$1')
}

/** The endings of forms, the longest first, and how long what remains must be: short beginnings are those of other words. */
const FORMS = [
  { ending: /(?:ation|e?ment|ing)s?$/, least: 4 },
  { ending: /ed$/, least: 4 },
  { ending: /(?:al|ion)s?$/, least: 5 },
  { ending: /(?:ie|e)?s$|[ey]$/, least: 5 },
  { ending: /(?<![suix])s$/, least: 4 },
]

/** A name such as `WeirChainBehind` is found by its words too. */
function wordsOf(term        )           {
  const words = term.split(/(?<=\p{Ll})(?=\p{Lu})/u)
  return [...(words.length > 1 ? words : []), term].map((word) => word.toLowerCase())
}
