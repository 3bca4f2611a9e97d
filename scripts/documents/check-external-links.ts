// Asks every external link of the documents whether it still leads somewhere, and lists those that do not:
// npm run links:external. No test does: the result depends on the network and on others' servers.
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const repository = fileURLToPath(new URL('../..', import.meta.url))
const TIMEOUT = 15_000
/** As in deploy/try: the check did not take place. */
const SKIPPED = 77
/** What servers return that answer no HEAD, or no program: the page may exist. */
const REFUSES_PROGRAMS = new Set([401, 403, 405, 429, 501])

const documents = globSync(['*.md', '.changeset/*.md', '.github/**/*.md', '{docs,examples,packages}/**/*.md'], {
  cwd: repository,
  exclude: (path) => /(^|\/)(node_modules|dist)(\/|$)/.test(path),
})
const places = new Map<string, string[]>()
for (const document of documents) {
  const prose = readFileSync(`${repository}/${document}`, 'utf8').replace(/^ *```[\s\S]*?^ *```$/gm, '')
  for (const [, url = ''] of prose.matchAll(/\]\((https?:[^)\s]+)\)/g))
    places.set(url, [...(places.get(url) ?? []), document])
}

/** The status of a link, or why nothing answered. */
async function ask(url: string): Promise<number | string> {
  try {
    return (await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(TIMEOUT) })).status
  } catch (error) {
    const { message, cause } = error as Error
    return cause instanceof Error ? cause.message : message
  }
}

const results = await Promise.all([...places].map(async ([url, where]) => ({ url, where, result: await ask(url) })))
const say = (kind: string, { url, where, result }: (typeof results)[number]) =>
  console.log(`${kind}: ${url} (${where.join(', ')}): ${result}`)

if (results.every(({ result }) => typeof result === 'string')) {
  console.log(`NO LINK WAS CHECKED: none of ${results.length} answered, so this machine seems to have no network.`)
  process.exitCode = SKIPPED
} else {
  const isFine = (result: number | string) => typeof result === 'number' && result < 400
  const unclear = results.filter(({ result }) => REFUSES_PROGRAMS.has(Number(result)))
  const failed = results.filter((each) => !isFine(each.result) && !unclear.includes(each))
  for (const each of unclear) say('open it yourself', each)
  for (const each of failed) say('failed', each)
  console.log(`${results.length} external links: ${failed.length} failed, ${unclear.length} refuse programs`)
  if (failed.length > 0) process.exitCode = 1
}
