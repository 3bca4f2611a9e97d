// The words that people read: the documents, the API reference, the packages, the pages of the dashboard, and the lines
// of logs.

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseSource, REPOSITORY, type SourceFile, sourceTree } from '../testing/source/source-tree.ts'

type Rule = readonly [RegExp, string]

/** What follows ", also" where it adds an afterthought. A verb is an imperative: "After a restore, also set ...". */
const JOINS = [
  ...['a', 'after', 'an', 'as', 'at', 'before', 'behind', 'between', 'by', 'during', 'for', 'from', 'if', 'in', 'of'],
  ...['on', 'one', 'over', 'that', 'the', 'those', 'to', 'under', 'until', 'what', 'when', 'where', 'which', 'while'],
  ...['who', 'with', 'without'],
]

/** In every text. Each was there once, and reads as translated. */
const TRANSLATED: readonly Rule[] = [
  [/\banother (?:\w+ ){1,2}than\b/i, '"a different ... than"'],
  [/\b(?:any|some)thing else than\b/i, '"does not match", "other than"'],
  [/\bgo(?:es|ing)? on\b/i, '"continues", "keeps working"'],
  [new RegExp(String.raw`, also (?:${JOINS.join('|')})\b`, 'i'), 'its own clause: "including", "even", "both"'],
  [/\bby (?:its|their|your) own choice\b/i, '"on its own"'],
  [/\bthe one so far\b/i, '"the current one"'],
  [/\bthe version before\b/i, '"the previous version"'],
  [/\bso too in\b/i, '"works the same way"'],
  [/\bso do an?\b/i, 'a list: "the same holds for"'],
  [/\bof (?:an)?other (?:form|shape)\b/i, '"malformed"'],
  [/\b(?:gets|has) other code\b/i, '"its code has changed"'],
  [/\bwith what an?\b/i, '"including", or name it'],
  [/\bwhose it is\b/i, '"the owner"'],
  [/\bby then\b/i, 'name the time: "before the deadline", "until that day"'],
  [/\bcounts once\b(?! you\b)/i, '"is counted only once", "can be used once"'],
]

/** On a page. */
const ON_PAGES: readonly Rule[] = [
  ...TRANSLATED,
  [/\b(?:a|one|the|this|these|no|its) mails?\b/i, '"email"'],
  [/(?:^|\d) %/, 'a percent sign without a space'],
  [/^The [\w ]+ (?:is|are) (?:added|changed|deleted|made|opened|removed|revoked|saved|set)\.$/, '"Buffer saved."'],
  [/^An? (?:address|amount|name|percentage) (?:such|that)\b/, '"Enter an amount such as"'],
]

/** In a log. A line begins with what failed, and says what follows. */
const IN_LOGS: readonly Rule[] = [
  [/\b(?:can|could)(?:not| not) be \w+ed\b/, '"failed to ..."'],
  [/^\w+ing .* failed\b/, '"failed to ..."'],
  [/\b(?:is|are|was) tried again\b/, '"retrying"'],
  [/\banother (?:\w+ ){1,2}than\b/, '"a different ... than"'],
]

/** A known line that keeps its words, with the reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'an event cannot be published: it waits, with the later events of its object': 'a state, not an attempt',
}

/** Documents, and the sources of what documents and the API reference say; comments there end up in both. */
const READ = [
  '*.md',
  '.changeset/*.md',
  '{docs,examples,packages}/**/*.md',
  'apps/agent/src/**/*.ts',
  'apps/cli/src/**/*.ts',
  'apps/server/src/**/*.ts',
  'apps/dashboard/src/**/*.{ts,tsx}',
  'packages/*/src/**/*.ts',
  'scripts/**/*.ts',
]
/** Decisions and releases are history, and the reference is in the words of its author. */
const NOT_READ =
  /(?:^|\/)(?:node_modules|dist|generated)(?:\/|$)|^docs\/(?:decisions|reference)\/|^CHANGELOG\.md$|\/migrations\/|\.test\.ts$/

const LOG_METHODS = ['debug', 'info', 'warn', 'error']

const sources = sourceTree().filter(({ path }) => /^apps\/\w+\/src\//.test(path) && !/\.test\.tsx?$/.test(path))

test('no string of the dashboard reads as translated', () => {
  const pages = sources.filter(({ path }) => path.startsWith('apps/dashboard/'))
  expect(pages.length).toBeGreaterThan(200)
  expect(pages.flatMap((file) => broken(file, stringsOf(file), ON_PAGES))).toEqual([])
})

test('no document, route, command or package reads as translated', () => {
  const paths = globSync(READ, { cwd: REPOSITORY }).filter((path) => !NOT_READ.test(path))
  expect(paths.length).toBeGreaterThan(400)
  const found = paths.toSorted().flatMap((path) => {
    const text = readFileSync(join(REPOSITORY, path), 'utf8')
    return translatedIn(text).map((phrase) => `${path}: ${phrase}`)
  })
  expect(found).toEqual([])
})

test('no message of the service, the agent or the command line reads as translated', () => {
  // Migrations are frozen, and read by nobody who runs the service.
  const others = sources.filter(({ path }) => !/^apps\/dashboard\/|\/migrations\//.test(path))
  expect(others.flatMap((file) => broken(file, stringsOf(file), TRANSLATED))).toEqual([])
})

test('no line of a log hides what failed behind a passive', () => {
  const lines = sources.flatMap((file) => logLinesOf(file).map((line) => ({ file, line })))
  expect(lines.length).toBeGreaterThan(100)
  expect(lines.flatMap(({ file, line }) => broken(file, [line], IN_LOGS))).toEqual([])
})

test('the rule finds a phrase that a document or a comment wraps, and leaves code and a second clause alone', () => {
  expect(translatedIn('It is found, also\nwhile it waits.')).toEqual([
    '"It is found, also while it waits." (its own clause: "including", "even", "both")',
  ])
  expect(translatedIn('/**\n * The others go\n * on.\n */')).toHaveLength(1)
  expect(translatedIn('```sh\necho it goes on\n```\nDone.')).toEqual([])
  expect(translatedIn('After a restore, also set `lost_at`. Separation of duties, also called segregation.')).toEqual(
    [],
  )
})

test('the rules find what they refuse, in text, attributes, templates and calls', () => {
  const page = parseSource(
    'page.tsx',
    'const one = <Empty title="No mail yet">{at ? `At most 10 % of it` : "The cap is saved."}</Empty>',
  )
  expect(broken(page, stringsOf(page), ON_PAGES)).toHaveLength(3)
  const log = parseSource(
    'log.ts',
    "parts.log.warn({ id }, 'a wallet could not be settled'); say('it could not be done')",
  )
  expect(broken(log, logLinesOf(log), IN_LOGS)).toHaveLength(1)
})

function broken({ path }: SourceFile, texts: readonly string[], rules: readonly Rule[]): string[] {
  return texts
    .filter((text) => !Object.hasOwn(EXCEPTIONS, text))
    .flatMap((text) =>
      rules.filter(([rule]) => rule.test(text)).map(([, instead]) => `${path}: "${text.slice(0, 80)}" (${instead})`),
    )
}

/** Each translated phrase of a text with the words around it; wrapped lines are joined, and blocks of code left out. */
function translatedIn(text: string): string[] {
  const joined = text.replace(/^ *```[\s\S]*?^ *```$/gm, ' . ').replaceAll(/\n\s*(?:\/\/+|\*(?!\/))?\s*/g, ' ')
  return TRANSLATED.flatMap(([rule, instead]) =>
    [...joined.matchAll(new RegExp(rule, 'gi'))].map(({ index, 0: phrase }) => {
      const around = joined.slice(Math.max(0, index - 40), index + phrase.length + 30)
      return `"${around.trim()}" (${instead})`
    }),
  )
}

function stringsOf(file: SourceFile): string[] {
  const found: string[] = []
  const add = (text: unknown) => {
    if (typeof text === 'string') found.push(text.replaceAll(/\s+/g, ' '))
  }
  file.visit({
    JSXText: ({ value }) => add(value.trim()),
    Literal: ({ value }) => add(value),
    TemplateElement: ({ value }) => add(value.cooked),
  })
  return found
}

function logLinesOf(file: SourceFile): string[] {
  const found: string[] = []
  file.visit({
    CallExpression: ({ callee, arguments: given }) => {
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return
      if (
        !LOG_METHODS.includes(callee.property.name) ||
        !/log$/i.test(file.text.slice(callee.object.start, callee.object.end))
      )
        return
      const line = given.at(-1)
      if (line?.type === 'Literal' && typeof line.value === 'string') found.push(line.value)
    },
    // Of an outage: the line of its start and that of its end.
    Property: ({ key, value }) => {
      if (key.type !== 'Identifier' || !['away', 'back'].includes(key.name)) return
      if (value.type === 'Literal' && typeof value.value === 'string') found.push(value.value)
    },
  })
  return found
}
