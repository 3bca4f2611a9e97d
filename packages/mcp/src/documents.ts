import MiniSearch from 'minisearch'
import type { Weir } from '../../sdk/src/index.ts'
import { SEARCH, tellingWords } from './search-rules.ts'

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
  #index: Promise<Index> | undefined

  constructor(weir: Weir) {
    this.#weir = weir
  }

  /** Passages with most of the words, best first; a word in a heading counts more. */
  async search(query: string): Promise<readonly Found[]> {
    const { passages, search } = await this.#load()
    return search
      .search(tellingWords(query))
      .slice(0, RESULTS)
      .map(({ id, terms }) => {
        const [page, anchor, title, heading, text] = passages[id as number]!
        return { page, title, heading, path: `/docs/${page}#${anchor}`, excerpt: excerptOf(text, terms) }
      })
  }

  /** The Markdown of a page; undefined if there is no such page. */
  async read(page: string, offset: number): Promise<{ markdown: string; next: number | null } | undefined> {
    const known = (await this.#load()).passages.some(([name]) => name === page)
    if (!known) return undefined
    const response = await this.#weir.request({ method: 'GET', path: `/docs/${page}.md`, accept: 'text/markdown' })
    const text = await response.text()
    const end = offset + PAGE_CHARACTERS
    return { markdown: text.slice(offset, end), next: end < text.length ? end : null }
  }

  /** Loaded once. A failed attempt is forgotten. */
  #load(): Promise<Index> {
    this.#index ??= this.#weir
      .request({ method: 'GET', path: '/docs/search.json' })
      .then(async (response) => indexOf((await response.json()) as readonly Passage[]))
      .catch((error) => {
        this.#index = undefined
        throw error
      })
    return this.#index
  }
}

interface Index {
  readonly passages: readonly Passage[]
  readonly search: MiniSearch
}

function indexOf(passages: readonly Passage[]): Index {
  const search = new MiniSearch(SEARCH)
  search.addAll(passages.map(([page, , title, heading, text], id) => ({ id, page, title, heading, text })))
  return { passages, search }
}

function excerptOf(text: string, words: readonly string[]): string {
  const first = Math.min(...words.map((word) => text.toLowerCase().indexOf(word)).filter((at) => at >= 0), text.length)
  const start = first === text.length ? 0 : Math.max(0, first - EXCERPT / 4)
  return text.slice(start, start + EXCERPT)
}
