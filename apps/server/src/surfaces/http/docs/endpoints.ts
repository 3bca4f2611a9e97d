import { escapeHtml } from './docs-site.ts'

interface DescribedRoute {
  readonly operationId?: string
  readonly summary?: string
  readonly tags?: readonly string[]
}

/** All endpoints of the OpenAPI document by tag, as HTML, each with a link into the reference. */
export function endpointsHtml(document: unknown): string {
  const { tags = [], paths = {} } = document as {
    tags?: readonly { readonly name: string; readonly description?: string }[]
    paths?: Readonly<Record<string, Readonly<Record<string, DescribedRoute>>>>
  }
  const all = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })),
  )
  const chapters = tags.map(({ name, description = '' }) => {
    const items = all
      .filter((operation) => operation.tags?.includes(name))
      .map(({ method, path, summary = '' }) => {
        const address = `/docs/api/#tag/${slug(name)}/${method}${path}`
        return `<li><a href="${escapeHtml(address)}"><code>${method} ${escapeHtml(path)}</code></a> <span>${escapeHtml(summary)}</span></li>`
      })
    return `<details><summary>${escapeHtml(name)} <small>${escapeHtml(description)}</small></summary>\n<ul>\n${items.join('\n')}\n</ul></details>`
  })
  return chapters.join('\n')
}

const slug = (tag: string): string =>
  tag
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
