import { posix } from 'node:path'
import { addressOf, type Page } from './navigation.ts'

/** What a link in a Markdown file leads to. */
export type Target =
  | { readonly kind: 'page'; readonly page: Page | undefined; readonly address: string; readonly anchor: string }
  | { readonly kind: 'picture'; readonly address: string; readonly file: string }
  | { readonly kind: 'outside'; readonly address: string }
  /** A path of the service itself, such as `/openapi.json`. */
  | { readonly kind: 'service'; readonly address: string }
  /** A file of the repository that is no page, such as a test: it is named, not linked. */
  | { readonly kind: 'source'; readonly file: string }

export function targetOf(link: string, from: Page, pages: ReadonlyMap<string, Page>): Target {
  if (/^[a-z]+:/i.test(link)) return { kind: 'outside', address: link }
  if (link.startsWith('/')) return { kind: 'service', address: link }
  const [path = '', anchor = ''] = link.split('#')
  const fragment = anchor === '' ? '' : `#${anchor}`
  if (path === '') return { kind: 'page', page: from, address: fragment, anchor }
  const file = posix.normalize(posix.join(posix.dirname(from.file), path))
  const page = pages.get(file)
  if (page !== undefined) return { kind: 'page', page, address: addressOf(page.name) + fragment, anchor }
  // The README is for the repository's visitors; those of the site begin at the start page.
  if (file === 'README.md') return { kind: 'page', page: pages.get('docs/index.md'), address: '/docs/', anchor: '' }
  if (/^docs\/pictures\/[\w.-]+$/.test(file)) {
    return { kind: 'picture', address: `/docs/${file.slice('docs/'.length)}`, file }
  }
  return { kind: 'source', file }
}

/** The anchor of a heading, as forges compute it. */
export function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-')
}

/** Markdown whose links work on the site too: files that are no page are named in the text. */
export function markdownFor(text: string, from: Page, pages: ReadonlyMap<string, Page>): string {
  return text.replace(
    /\[([^\]\n]*(?:\n[^\]\n]+)?)\]\(((?!https?:)[^)\s]+)\)/g,
    (whole, label: string, link: string) => {
      const target = targetOf(link, from, pages)
      if (target.kind === 'source') return label.includes(target.file) ? label : `${label} (\`${target.file}\`)`
      if (target.kind !== 'page' || target.page === undefined || link.startsWith('#')) return whole
      const fragment = target.anchor === '' ? '' : `#${target.anchor}`
      const isNeighbor =
        posix.normalize(posix.join(posix.dirname(from.name), link.split('#')[0]!)) === `${target.page.name}.md`
      return isNeighbor ? whole : `[${label}](/docs/${target.page.name}.md${fragment})`
    },
  )
}
