import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { RATE_LIMITS } from '../../src/kernel/index.ts'

const repository = fileURLToPath(new URL('../../../..', import.meta.url))
/** Paths of the service that documents may link to. */
const SERVED = new Set(['/docs/api/'])
/** Begins as a release note does: a verb first, such as "Show", and none of the words that stand before a noun. */
const IMPERATIVE =
  /^(?!(?:An?|All|Any|At|By|Each|Every|For|If|In|It|No|Of|On|One|Some|That|Th(?:e|ere|ese|is|ose)|What|When|Where|Which|Who|With)\b)[A-Z][a-z]+,? /
const documents = [
  '.',
  '.changeset',
  '.github',
  'docs',
  'docs/decisions',
  'docs/runbooks',
  'packages/devnet',
  'examples',
].flatMap((folder) =>
  readdirSync(join(repository, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name)),
)

// External links need the network and others' servers: `npm run links:external` asks them.
test('every link from one document to another resolves', () => {
  expect(documents.length).toBeGreaterThan(10)
  const broken = documents.flatMap((document) => {
    const links = [...read(document).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)]
    return links
      .filter(
        ([, path = '', part]) =>
          !SERVED.has(path) && !leads(path === '' ? document : join(dirname(document), path), part),
      )
      .map(([link]) => `${document}: ${link}`)
  })
  expect(broken).toEqual([])
})

test('a page links another page, and does not name its path in the repository', () => {
  const named = documents
    .filter((document) => /^docs\/[^/]+$/.test(document))
    .flatMap((document) => {
      const prose = read(document).replace(/^ *```[\s\S]*?^ *```$|`[^`\n]+`|<!--[\s\S]*?-->/gm, '')
      return [...prose.matchAll(/\bdocs\/[\w-]+\.md\b/g)].map(([path]) => `${document}: ${path}`)
    })
  expect(named).toEqual([])
})

test('every row of a table stands below the header of its table', () => {
  const broken = documents.flatMap((document) => {
    const lines = read(document)
      .replace(/^ *```[\s\S]*?^ *```$/gm, '')
      .split('\n')
    const isRow = (line: string | undefined) => /^ *\|/.test(line ?? '')
    return lines
      .filter(
        (line, at) => isRow(line) && !isRow(lines[at - 1]) && !/^ *\|(?: *:?-+:? *\|)+$/.test(lines[at + 1] ?? ''),
      )
      .map((line) => `${document}: ${line}`)
  })
  expect(broken).toEqual([])
})

test('headings stand alone, and numbered lists count on', () => {
  const broken = documents.flatMap((document) => {
    const lines = read(document)
      .replace(/^ *```[\s\S]*?^ *```$/gm, '(code)')
      .split('\n')
    let last = 0
    return lines.flatMap((line, index) => {
      const number = Number(/^(\d+)\. /.exec(line)?.[1] ?? 0)
      const isWrong = number > 1 && number !== last + 1
      const isJoined = /^#+ /.test(line) && index > 0 && lines[index - 1] !== ''
      if (number > 0) last = number
      else if (/^(#+ |[A-Za-z*])/.test(line)) last = 0
      return isWrong || isJoined ? [`${document}: ${line}`] : []
    })
  })
  expect(broken).toEqual([])
})

test('every source file and script named in a document exists', () => {
  const files = ['apps', 'packages', 'examples', 'scripts', 'docs'].flatMap((folder) =>
    readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' }).map((name) => `/${folder}/${name}`),
  )
  const scripts = ['.', 'packages/devnet'].flatMap((folder) =>
    Object.keys((JSON.parse(read(join(folder, 'package.json'))) as { scripts: object }).scripts),
  )
  const unknown = documents.flatMap((document) => {
    const text = read(document)
    const named = [...text.matchAll(/`([\w./-]+\.(?:ts|mjs|md))`/g)].map(([, name = '']) => name)
    const run = [...text.matchAll(/\bnpm run (?:-s |--silent )?(\w+(?:[:-]\w+)*)/g)].map(([, name = '']) => name)
    return [
      ...named.filter(
        (name) => !existsSync(join(repository, name)) && !files.some((file) => file.endsWith(`/${name}`)),
      ),
      ...run.filter((name) => !scripts.includes(name)),
    ].map((name) => `${document}: ${name}`)
  })
  expect(unknown).toEqual([])
})

test('a page names a command by `weir` wherever that has it: images and packages have no npm', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const ofHosts = ['migrate', 'invite', 'owner:recover', 'rotate-secrets', 'domain:approve', 'organization:erase']
  const others = ['audit:verify', 'weir', 'agent', 'chains']
  // They are followed in a clone, whose reader has npm.
  const inClones = new Set(['docs/treasury-tour.md', 'docs/cli.md'])
  const names = [...ofHosts, ...others]
  for (const name of names) expect(Object.keys(scripts)).toContain(name)
  const pages = documents.filter((name) => /^docs\/(?!decisions)|^SECURITY/.test(name) && !inClones.has(name))
  const found = pages.flatMap((page) =>
    [...read(page).matchAll(/\bnpm run (?:-s |--silent )?([\w:-]+)/g)]
      .filter(([, name = '']) => names.includes(name))
      .map(([command]) => `${page}: ${command}`),
  )
  expect(found).toEqual([])
})

test('the operating page lists every rate limit', () => {
  const rows = [...read('docs/operating.md').matchAll(/^\| `([\w.]+)` \| ([\d,]+) \|/gm)]
  const documented = rows.map(([, name = '', most = '']) => [name, Number(most.replaceAll(',', ''))])
  expect(Object.fromEntries(documented)).toEqual(RATE_LIMITS)
})

test('the index of decisions lists every record, and no two have the same number', () => {
  const records = readdirSync(join(repository, 'docs/decisions')).filter((name) => name !== 'README.md')
  const numbers = records.map((name) => name.slice(0, 4))
  expect(new Set(numbers).size).toBe(numbers.length)
  expect(numbers.filter((number) => !/^\d{4}$/.test(number))).toEqual([])
  const listed = [...read('docs/decisions/README.md').matchAll(/^\| \[(\d+)\]\(([^)]+)\)/gm)].map(([, , name]) => name)
  expect(listed).toEqual(records.toSorted())
})

test('each changeset names packages of the repository, a version bump, and what users get, from an imperative on', () => {
  const packages = ['apps', 'packages'].flatMap((group) =>
    readdirSync(join(repository, group)).map(
      (folder) => (JSON.parse(read(join(group, folder, 'package.json'))) as { name: string }).name,
    ),
  )
  const folder = '.changeset'
  for (const name of readdirSync(join(repository, folder)).filter((file) => /^(?!README).*\.md$/.test(file))) {
    const [, front = '', sentence = ''] = /^---\n(.*?)\n---\n(.*)$/s.exec(read(join(folder, name))) ?? []
    const bumps = front.split('\n').map((line) => /^"([^"]+)": (major|minor|patch)$/.exec(line)?.[1])
    for (const bumped of bumps) expect(packages, name).toContain(bumped)
    expect(sentence.trim(), name).toMatch(IMPERATIVE)
  }
})

test('the code tour answers twenty questions or more, each with a link to a file', () => {
  const questions = [...read('docs/code-tour.md').matchAll(/^\| ([^|]+\?) \| (.+) \|$/gm)]
  expect(questions.length).toBeGreaterThanOrEqual(20)
  for (const [, question, answer = ''] of questions)
    expect(answer, question).toMatch(/\]\([^)]+\.(?:ts|md)(?:#[^)]+)?\)/)
})

function leads(path: string, part: string | undefined): boolean {
  if (!existsSync(join(repository, path))) return false
  if (part === undefined) return true
  const headings = [...read(path).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading)
  return headings.some((heading) => slug(heading) === part)
}

/** The anchor of a heading. */
function slug(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')
}

function read(document: string): string {
  return readFileSync(join(repository, document), 'utf8')
}
