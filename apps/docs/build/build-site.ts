// Builds dist/ from the Markdown of the repository: npm run build:docs
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { markdownFor } from './links.ts'
import { pagesOf, readNavigation } from './navigation.ts'
import { type RenderedPage, renderPage } from './render-page.ts'
import { shellOf } from './shell.ts'
import { hashOf, SEARCH_RULES, sharedHash } from './sources-hash.ts'

const folder = fileURLToPath(new URL('..', import.meta.url))
const repository = fileURLToPath(new URL('../../..', import.meta.url))
const dist = join(folder, 'dist')

const navigation = readNavigation(folder)
const pages = pagesOf(navigation, repository)
const byFile = new Map(pages.map((page) => [page.file, page]))

rmSync(dist, { recursive: true, force: true })
const rendered = new Map<string, RenderedPage>()
const entries: string[] = []
const passages: string[] = []
for (const page of pages) {
  const text = readFileSync(join(repository, page.file), 'utf8')
  const { html, ...result } = renderPage(page, text, byFile)
  rendered.set(page.name, { html, ...result })
  write(`pages/${page.name}.html`, html)
  write(`pages/${page.name}.md`, markdownFor(text, page, byFile))
  const { title, description } = result
  entries.push(JSON.stringify({ name: page.name, section: page.section, title, description, sources: hashOf(text) }))
  for (const passage of result.passages) {
    passages.push(JSON.stringify([page.name, passage.anchor, title, passage.heading, passage.text]))
  }
}
for (const [name, { links }] of rendered) {
  const broken = links.find(
    ({ page, anchor }) => !rendered.get(page)?.headings.some((heading) => heading.anchor === anchor),
  )
  if (broken !== undefined) throw new Error(`${name}: the link ${broken.link} leads to no heading`)
}

for (const name of ['site.css', 'site.js', 'theme.js', 'icon.svg'])
  write(`assets/${name}`, readFileSync(join(folder, 'src', name)))
write('assets/minisearch.js', searchLibrary())
write('assets/search-rules.js', stripTypeScriptTypes(readFileSync(join(folder, SEARCH_RULES), 'utf8')))
cpSync(join(repository, 'docs/pictures'), join(dist, 'pictures'), { recursive: true })
write('shell.html', shellOf(navigation, rendered, folder))
// A line per page and passage, so that changes of two pages merge.
write('search.json', lines(passages))
write(
  'site.json',
  `{\n"shared": ${JSON.stringify(sharedHash(folder))},\n"sections": ${JSON.stringify(
    navigation.sections.map(({ name, title, groups }) => ({
      name,
      title,
      pages: groups.flatMap((group) => group.pages),
    })),
  )},\n"pages": ${lines(entries).trimEnd()}\n}\n`,
)
process.stdout.write(`${pages.length} pages in apps/docs/dist\n`)

/** The search as the browser loads it, with its licence, and without the name of a file that the site does not have. */
function searchLibrary(): string {
  const file = fileURLToPath(import.meta.resolve('minisearch'))
  const source = readFileSync(file, 'utf8').replace(/^\/\/# sourceMappingURL=.*\n?/m, '')
  return `/*! MiniSearch\n\n${readFileSync(join(dirname(file), '../../LICENSE.txt'), 'utf8').trim()}\n*/\n${source}`
}

function lines(entries: readonly string[]): string {
  return `[\n${entries.join(',\n')}\n]\n`
}

function write(name: string, content: string | Buffer): void {
  const file = join(dist, name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
}
