import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const repository = fileURLToPath(new URL('../../../..', import.meta.url))

/** Every page that shows commands or code to a reader. */
export const pages = globSync(
  ['*.md', 'docs/**/*.md', 'packages/*/README.md', 'examples/*.md', 'deploy/**/*.md', 'bruno/**/*.md'],
  { cwd: repository, exclude: (name) => name.includes('node_modules') || name === 'CHANGELOG.md' },
).sort()

/** A fenced block. */
export interface Block {
  readonly page: string
  /** What follows the fence: empty for the output of a command. */
  readonly language: string
  /** Without the indentation of the list that it stands in. */
  readonly code: string
}

export function blocksOf(page: string): Block[] {
  const text = readFileSync(join(repository, page), 'utf8')
  return [...text.matchAll(/^( *)```(.*)\n([\s\S]*?)^ *```$/gm)].map(
    ([, indentation = '', language = '', code = '']) => ({
      page,
      language,
      code: code.replaceAll(new RegExp(`^${indentation}`, 'gm'), ''),
    }),
  )
}

/** The block of a page that begins with these words. */
export function blockOf(page: string, begins: string): Block {
  const [found, ...more] = blocksOf(page).filter(({ code }) => code.startsWith(begins))
  if (found === undefined || more.length > 0) throw new Error(`${page}: ${more.length + 1} blocks begin with ${begins}`)
  return found
}
