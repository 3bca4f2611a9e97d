import type { Weir } from '../../sdk/src/index.ts'

/** A passage of the documents: page, anchor, title of the page, heading, text. */
type Passage = readonly [page: string, anchor: string, title: string, heading: string, text: string]

export interface Found {
  readonly page: string
  readonly title: string
  readonly heading: string
  readonly path: string
  readonly excerpt: string
}

const RESULTS = 8
const EXCERPT = 500
/** Markdown of one call; `offset` reads on. */
export const PAGE_CHARACTERS = 20_000

/** The documents that the service serves: those of its own version, without any other network. */
export class Documents {
  readonly #weir: Weir
  #passages: Promise<readonly Passage[]> | undefined

  constructor(weir: Weir) {
    this.#weir = weir
  }

  /** Passages with most of the words, best first; a word in a heading counts more. */
  async search(query: string): Promise<readonly Found[]> {
    const words = wordsOf(query)
    const passages = await this.#load()
    return passages
      .map((passage) => ({ passage, score: scoreOf(passage, words) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, RESULTS)
      .map(({ passage: [page, anchor, title, heading, text] }) => ({
        page,
        title,
        heading,
        path: `/docs/${page}#${anchor}`,
        excerpt: excerptOf(text, words),
      }))
  }

  /** The Markdown of a page; undefined if there is no such page. */
  async read(page: string, offset: number): Promise<{ markdown: string; next: number | null } | undefined> {
    const known = (await this.#load()).some(([name]) => name === page)
    if (!known) return undefined
    const response = await this.#weir.request({ method: 'GET', path: `/docs/${page}.md`, accept: 'text/markdown' })
    const text = await response.text()
    const end = offset + PAGE_CHARACTERS
    return { markdown: text.slice(offset, end), next: end < text.length ? end : null }
  }

  /** Loaded once. A failed attempt is forgotten. */
  #load(): Promise<readonly Passage[]> {
    this.#passages ??= this.#weir
      .request({ method: 'GET', path: '/docs/search.json' })
      .then((response) => response.json() as Promise<readonly Passage[]>)
      .catch((error) => {
        this.#passages = undefined
        throw error
      })
    return this.#passages
  }
}

const wordsOf = (query: string) => [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_]{2,}/gu))]

function scoreOf([, , title, heading, text]: Passage, words: readonly string[]): number {
  const places = [
    [title.toLowerCase(), 3],
    [heading.toLowerCase(), 5],
    [text.toLowerCase(), 1],
  ] as const
  let score = 0
  for (const word of words) {
    for (const [place, weight] of places) if (place.includes(word)) score += weight
  }
  const found = words.filter((word) => places.some(([place]) => place.includes(word))).length
  return found * found * score
}

function excerptOf(text: string, words: readonly string[]): string {
  const first = Math.min(...words.map((word) => text.toLowerCase().indexOf(word)).filter((at) => at >= 0), text.length)
  const start = first === text.length ? 0 : Math.max(0, first - EXCERPT / 4)
  return text.slice(start, start + EXCERPT)
}
