import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What `navigation.json` contains: the pages in reading order, and the files of pages that are not in docs/. */
export interface Navigation {
  readonly sections: readonly Section[]
  /** Shorter titles for the sidebar. */
  readonly labels: Readonly<Record<string, string>>
  /** Pages without a place in the sidebar, by pattern, and the section that they belong to. */
  readonly unlisted: Readonly<Record<string, string>>
  /** Page to file, for pages whose Markdown is elsewhere in the repository. */
  readonly elsewhere: Readonly<Record<string, string>>
}

export interface Section {
  readonly name: string
  readonly title: string
  readonly groups: readonly { readonly title: string; readonly pages: readonly string[] }[]
}

/** A page of the site: `/docs/NAME`, and its Markdown at `/docs/NAME.md`. The start page is `index`, at `/docs/`. */
export interface Page {
  readonly name: string
  /** The Markdown, relative to the repository. */
  readonly file: string
  readonly section: string
}

export function readNavigation(folder: string): Navigation {
  return JSON.parse(readFileSync(join(folder, 'navigation.json'), 'utf8')) as Navigation
}

/** Every page, those of the sidebar first. Throws if a listed page does not exist. */
export function pagesOf(navigation: Navigation, repository: string): Page[] {
  const listed = navigation.sections.flatMap(({ name: section, groups }) =>
    groups.flatMap(({ pages }) =>
      pages.map((name) => ({ name, file: navigation.elsewhere[name] ?? fileOf(name, repository), section })),
    ),
  )
  const known = new Set(listed.map(({ file }) => file))
  const unlisted = Object.entries(navigation.unlisted).flatMap(([pattern, section]) =>
    globSync(pattern, { cwd: repository })
      .filter((file) => !known.has(file))
      .sort()
      .map((file) => ({ name: file.replace(/^docs\//, '').replace(/\.md$/, ''), file, section })),
  )
  const pages = [...listed, ...unlisted]
  const missing = pages.filter(({ file }) => !existsSync(join(repository, file)))
  if (missing.length > 0)
    throw new Error(`navigation.json lists pages that do not exist: ${missing.map(({ name }) => name)}`)
  return pages
}

/** The address of a page on the service. */
export const addressOf = (name: string): string => (name === 'index' ? '/docs/' : `/docs/${name}`)

function fileOf(name: string, repository: string): string {
  const folder = `docs/${name}/README.md`
  return existsSync(join(repository, folder)) ? folder : `docs/${name}.md`
}
