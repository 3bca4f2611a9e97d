import { fileURLToPath } from 'node:url'

/** Beside the commands, in a clone as in the package. */
const FOLDER = fileURLToPath(new URL('../../../docs', import.meta.url))

/** Where the pages are that a text cites as `docs/cli.md`; none if it cites no page. */
export function pagesPlace(text: string): string[] {
  return /\bdocs\/[\w-]+\.md\b/.test(text) ? [`docs/ is ${FOLDER}; a service has these pages under /docs.`] : []
}
