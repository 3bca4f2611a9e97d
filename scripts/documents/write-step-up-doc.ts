// Writes what needs a step-up into docs/sign-in.md, from the access that the routes declare. The text around it is
// written by hand. A test compares the two.
import { readFileSync, writeFileSync } from 'node:fs'
import { openApiDocument } from '../openapi/openapi-document.ts'
import { withParts } from './state-diagrams.ts'

const file = new URL('../../docs/sign-in.md', import.meta.url)

interface Endpoint {
  readonly tags?: readonly string[]
  readonly summary: string
  readonly responses: Readonly<Record<string, { readonly description?: string }>>
}

/** A row for each chapter of the reference: a reader looks for the object first. */
async function stepUpTable(): Promise<string> {
  const { paths } = (await openApiDocument()) as { readonly paths: Record<string, Record<string, Endpoint>> }
  const guarded = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .filter(({ responses }) => responses['403']?.description?.includes('step_up_required'))
  const chapters = [...new Set(guarded.map(({ tags }) => tags?.[0] ?? ''))].sort()
  const rows = chapters.map((chapter) => {
    const summaries = guarded.filter(({ tags }) => tags?.[0] === chapter).map(({ summary }) => lowerFirst(summary))
    return `| ${chapter} | ${[...new Set(summaries)].join(', ')} |`
  })
  return ['| On | Needs a step-up |', '|---|---|', ...rows].join('\n')
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

/** The document with its generated part between the markers. */
export async function stepUpDocument(current: string): Promise<string> {
  const table = await stepUpTable()
  return withParts('docs/sign-in.md', current, { 'step-up': () => table })
}

if (import.meta.main) writeFileSync(file, await stepUpDocument(readFileSync(file, 'utf8')))
