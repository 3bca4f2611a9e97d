import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type CompressedFile, CompressedFiles } from '../responses/compressed-files.ts'

/** The built documents, which travel with the source: `npm run build:docs` writes them. */
const FOLDER = fileURLToPath(new URL('../../../../../docs/dist', import.meta.url))

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
}
const ASSETS = new Set(
  ['site.css', 'site.js', 'theme.js', 'minisearch.js', 'search-rules.js', 'icon.svg'].map((name) => `assets/${name}`),
)
const PICTURE = /^pictures\/[a-z0-9-]+\.png$/

/** What the build recorded of the site. */
interface Site {
  readonly sections: readonly { readonly name: string; readonly title: string; readonly pages: readonly string[] }[]
  readonly pages: readonly PageEntry[]
}

interface PageEntry {
  readonly name: string
  readonly section: string
  readonly title: string
  readonly description: string
}

/**
 * The documents. Each file is read, put into the page's frame and compressed once, when it is first requested. Only names
 * that the build recorded are read.
 */
export class DocsSite {
  readonly #files = new CompressedFiles()
  #site: Promise<Site> | undefined
  readonly #endpoints: () => string

  /** @param endpoints The list of all endpoints, as HTML, for the start page. */
  constructor(endpoints: () => string) {
    this.#endpoints = endpoints
  }

  /** A page as HTML in the best encoding that the client accepts; `undefined` if there is no such page. */
  async page(name: string, acceptEncoding: string): Promise<CompressedFile | undefined> {
    const entry = await this.#entry(name)
    return entry && this.#file(`${name}.html`, acceptEncoding, () => this.#framed(entry, `pages/${name}.html`))
  }

  /** A page's Markdown. */
  async markdown(name: string, acceptEncoding: string): Promise<CompressedFile | undefined> {
    const entry = await this.#entry(name)
    return entry && this.#file(`${name}.md`, acceptEncoding, () => this.#read(`pages/${name}.md`))
  }

  /** What browsers see below `/docs` where there is no page. */
  async missing(acceptEncoding: string): Promise<CompressedFile> {
    const entry = { name: 'index', section: '', title: 'This page does not exist', description: '' }
    const article = `<article>\n<h1>This page does not exist</h1>\n<p>Search the documents, or begin at the <a href="/docs/">start page</a>.</p>\n</article>\n`
    return this.#file('missing.html', acceptEncoding, () => this.#framed(entry, article))
  }

  /** A style sheet, script or picture, or the search's index. */
  async asset(name: string, acceptEncoding: string): Promise<CompressedFile | undefined> {
    if (!ASSETS.has(name) && !PICTURE.test(name) && name !== 'search.json') return undefined
    const file = this.#file(name, acceptEncoding, () => this.#read(name))
    return file.catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    })
  }

  /** `llms.txt`: every page with its Markdown's address below `base`, in reading order. */
  llms(base: string, acceptEncoding: string): Promise<CompressedFile> {
    return this.#file('llms.txt', acceptEncoding, async () => {
      const { sections, pages } = await this.#loaded()
      const about = (name: string) => pages.find((page) => page.name === name)!
      const lists = sections.map(({ title, pages: names }) => {
        const lines = names.map(
          (name) => `- [${about(name).title}](${base}/docs/${name}.md): ${about(name).description}`,
        )
        return `## ${title}\n\n${lines.join('\n')}\n`
      })
      const head = `# Weir\n\n> ${about('index').description}\n\nThe API is described in ${base}/openapi.json (OpenAPI 3.1).\n`
      return Buffer.from([head, ...lists].join('\n'))
    })
  }

  async #entry(name: string): Promise<PageEntry | undefined> {
    return (await this.#loaded()).pages.find((page) => page.name === name)
  }

  async #framed({ name, section, title, description }: PageEntry, article: string): Promise<Buffer> {
    const shell = (await this.#read('shell.html')).toString()
    const content = article.startsWith('pages/') ? (await this.#read(article)).toString() : article
    const address = name === 'index' ? '/docs/' : `/docs/${name}`
    const marks: Readonly<Record<string, string>> = {
      TITLE: escapeHtml(name === 'index' && section !== '' ? title : `${title} – Weir`),
      DESCRIPTION: escapeHtml(description),
      MARKDOWN: `/docs/${name}.md`,
      SECTION: section,
      ARTICLE: name === 'index' ? content.replace('%ENDPOINTS%', this.#endpoints) : content,
    }
    return Buffer.from(
      shell
        .replaceAll(`<li><a href="${address}">`, `<li><a href="${address}" aria-current="page">`)
        .replaceAll(`<a data-section="${section}"`, `<a data-section="${section}" class="current"`)
        .replaceAll(`<section data-section="${section}"`, `<section data-section="${section}" class="current"`)
        .replace(/%([A-Z]+)%/g, (mark, key: string) => marks[key] ?? mark),
    )
  }

  #file(name: string, accepted: string, content: () => Promise<Buffer>): Promise<CompressedFile> {
    const type = TYPES[extname(name)] ?? 'application/octet-stream'
    return this.#files.get({ name, type, accepted }, content)
  }

  #loaded(): Promise<Site> {
    this.#site ??= this.#read('site.json').then((text) => JSON.parse(text.toString()) as Site)
    this.#site.catch(() => {
      this.#site = undefined
    })
    return this.#site
  }

  #read(name: string): Promise<Buffer> {
    return readFile(join(FOLDER, name))
  }
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
