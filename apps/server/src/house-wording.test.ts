// The words that people read while the product runs: the strings of the dashboard, and the lines of logs.

import { expect, test } from 'vitest'
import { parseSource, type SourceFile, sourceTree } from '../testing/source-tree.ts'

type Rule = readonly [RegExp, string]

/** On a page. Each was there once, and reads as translated. */
const ON_PAGES: readonly Rule[] = [
  [/\b(?:a|one|the|this|these|no|its) mails?\b/i, '"email"'],
  [/\banother (?:\w+ ){1,2}than\b/, '"a different ... than"'],
  [/(?:^|\d) %/, 'a percent sign without a space'],
  [/\bgo(?:es)? on\b/, '"continues", "keeps working"'],
  [/, also (?:of|on|those|the|when|while)\b/, '"including", "even"'],
  [/\bby (?:its|their) own choice\b/, '"on its own"'],
  [/\bthe one so far\b/i, '"the current one"'],
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

const LOG_METHODS = ['debug', 'info', 'warn', 'error']

const sources = sourceTree().filter(({ path }) => /^apps\/\w+\/src\//.test(path) && !/\.test\.tsx?$/.test(path))

test('no string of the dashboard reads as translated', () => {
  const pages = sources.filter(({ path }) => path.startsWith('apps/dashboard/'))
  expect(pages.length).toBeGreaterThan(200)
  expect(pages.flatMap((file) => broken(file, stringsOf(file), ON_PAGES))).toEqual([])
})

test('no line of a log hides what failed behind a passive', () => {
  const lines = sources.flatMap((file) => logLinesOf(file).map((line) => ({ file, line })))
  expect(lines.length).toBeGreaterThan(100)
  expect(lines.flatMap(({ file, line }) => broken(file, [line], IN_LOGS))).toEqual([])
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
