import { Marked, type Token, type Tokens } from 'marked'
import { drawDiagram } from './draw-diagram.ts'
import { escapeHtml, highlight } from './highlight.ts'
import { slugOf, targetOf } from './links.ts'
import type { Page } from './navigation.ts'

export interface Heading {
  readonly level: number
  readonly anchor: string
  readonly text: string
}

/** A part of a page that the search finds: from one heading to the next. */
export interface Passage {
  readonly anchor: string
  readonly heading: string
  readonly text: string
}

export interface RenderedPage {
  readonly title: string
  /** What `<!-- about: ... -->` says, or else the first paragraph, at most 200 characters. */
  readonly description: string
  /** The article with its table of contents. */
  readonly html: string
  readonly headings: readonly Heading[]
  readonly passages: readonly Passage[]
  /** Anchors of other pages that this page links to. */
  readonly links: readonly { readonly page: string; readonly anchor: string; readonly link: string }[]
}

const DESCRIPTION_LENGTH_MAX = 200
const CONTENTS_ENTRIES_MIN = 2

/** Renders a Markdown file. Throws on a link that leads nowhere. */
export function renderPage(page: Page, text: string, pages: ReadonlyMap<string, Page>): RenderedPage {
  const headings: Heading[] = []
  const links: { page: string; anchor: string; link: string }[] = []
  const counts = new Map<string, number>()
  let diagrams = 0

  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth }) {
        const plain = plainText(tokens)
        const slug = slugOf(plain)
        const count = counts.get(slug) ?? 0
        counts.set(slug, count + 1)
        const anchor = count === 0 ? slug : `${slug}-${count}`
        headings.push({ level: depth, anchor, text: plain })
        const inner = this.parser.parseInline(tokens)
        if (depth === 1) return `<h1 id="${anchor}">${inner}</h1>\n`
        return `<h${depth} id="${anchor}">${inner} <a class="anchor" href="#${anchor}" aria-label="Link to this section">#</a></h${depth}>\n`
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens)
        const target = targetOf(href, page, pages)
        switch (target.kind) {
          case 'outside':
            return `<a href="${escapeHtml(target.address)}" rel="noopener noreferrer">${inner}</a>`
          case 'service':
          case 'picture':
            return `<a href="${escapeHtml(target.address)}">${inner}</a>`
          case 'source':
            return `<span class="source" title="${escapeHtml(target.file)} in the source">${inner}</span>`
          case 'page':
            if (target.page === undefined) throw new Error(`${page.file}: ${href} leads to no page`)
            if (target.anchor !== '') links.push({ page: target.page.name, anchor: target.anchor, link: href })
            return `<a href="${escapeHtml(target.address)}">${inner}</a>`
        }
      },
      image({ href, text: description }) {
        const target = targetOf(href, page, pages)
        if (target.kind !== 'picture') throw new Error(`${page.file}: the picture ${href} is not in docs/pictures`)
        return `<img src="${escapeHtml(target.address)}" alt="${escapeHtml(description)}" loading="lazy">`
      },
      code({ text: code, lang }) {
        const language = (lang ?? '').split(/\s/)[0]!
        if (language === 'mermaid') {
          diagrams += 1
          return `${drawDiagram(code, `diagram-${diagrams}`)}\n`
        }
        const label = language === '' ? '' : ` data-language="${escapeHtml(language)}"`
        return `<pre tabindex="0"${label}><code>${highlight(code, language)}</code></pre>\n`
      },
      table(token) {
        const cells = (row: readonly Tokens.TableCell[], tag: 'th' | 'td') =>
          row
            .map((cell) => {
              const align = cell.align === null ? '' : ` class="${cell.align}"`
              return `<${tag}${align}>${this.parser.parseInline(cell.tokens)}</${tag}>`
            })
            .join('')
        const rows = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>\n`).join('')
        const head = token.header.some(({ text: label }) => label !== '')
          ? `<thead>\n<tr>${cells(token.header, 'th')}</tr>\n</thead>\n`
          : ''
        return `<div class="table" tabindex="0"><table>\n${head}<tbody>\n${rows}</tbody>\n</table></div>\n`
      },
      html({ text: html }) {
        if (html.trim() === '<!-- endpoints -->') return '<div class="endpoints">%ENDPOINTS%</div>\n'
        return html.trimStart().startsWith('<!--') ? '' : html
      },
    },
  })

  const tokens = marked.lexer(text)
  const body = marked.parser(tokens)
  const title = headings.find(({ level }) => level === 1)?.text
  if (title === undefined) throw new Error(`${page.file} has no title`)
  const opening = tokens.find((token) => token.type === 'paragraph') as Tokens.Paragraph | undefined
  return {
    title,
    description: shortened(aboutOf(text) ?? plainText(opening?.tokens ?? []), DESCRIPTION_LENGTH_MAX),
    html: `${contentsOf(headings)}<article>\n${body}</article>\n`,
    headings,
    passages: passagesOf(tokens, headings),
    links,
  }
}

/** For a page whose first paragraph does not say what it is about. */
const aboutOf = (text: string): string | undefined => /^<!-- about: (.+) -->$/m.exec(text)?.[1]

/** The list of the page's sections, for its margin. */
function contentsOf(headings: readonly Heading[]): string {
  const sections = headings.filter(({ level }) => level === 2 || level === 3)
  if (sections.length < CONTENTS_ENTRIES_MIN) return ''
  // Subsections are left out where they would make the list longer than the window.
  const shown = sections.length > 24 ? sections.filter(({ level }) => level === 2) : sections
  const items = shown.map(
    ({ level, anchor, text }) => `<li class="level-${level}"><a href="#${anchor}">${escapeHtml(text)}</a></li>\n`,
  )
  return `<nav class="contents" aria-label="On this page"><p>On this page</p>\n<ul>\n${items.join('')}</ul></nav>\n`
}

function passagesOf(tokens: readonly Token[], headings: readonly Heading[]): Passage[] {
  const passages: { anchor: string; heading: string; text: string }[] = []
  let next = 0
  for (const token of tokens) {
    if (token.type === 'heading') {
      const { anchor, text } = headings[next++]!
      passages.push({ anchor, heading: text, text: '' })
    } else if (passages.length > 0) {
      const text = token.type === 'code' && token.lang === 'mermaid' ? '' : plainText([token])
      const last = passages.at(-1)!
      last.text = `${last.text} ${text}`.replace(/\s+/g, ' ').trim()
    }
  }
  return passages
}

/** The words of Markdown, without its marks. */
function plainText(tokens: readonly Token[]): string {
  return tokens.map(textOf).join('')
}

function textOf(token: Token): string {
  switch (token.type) {
    case 'table': {
      const { header, rows } = token as Tokens.Table
      return [header, ...rows].map((row) => row.map((cell) => plainText(cell.tokens)).join(' ')).join(' ')
    }
    case 'list':
      return (token as Tokens.List).items.map((item) => plainText(item.tokens)).join(' ')
    case 'html':
      return ''
    case 'space':
    case 'br':
      return ' '
    default: {
      const { tokens, text } = token as { tokens?: Token[]; text?: string }
      return tokens !== undefined ? plainText(tokens) : unescaped(text ?? '')
    }
  }
}

function unescaped(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}

function shortened(text: string, length: number): string {
  const plain = text.replace(/\s+/g, ' ').trim()
  if (plain.length <= length) return plain
  return `${plain.slice(0, plain.lastIndexOf(' ', length - 1))}…`
}
