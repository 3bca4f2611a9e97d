import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { REPOSITORY } from '../testing/source/source-tree.ts'

/** What follows "not" in a sentence that puts its subject last. */
const PARTICIPLE = String.raw`(?:\w{2,}(?:ed|en|wn)|found|held|kept|left|made|paid|read|sent|set)`

/** Phrases that sound translated or old, and what to write instead; searched in texts of one line in lower case. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/\bwho(?:m|so)?ever\b/g, 'name the person or the program'],
  [/\bof ours\b/g, '"our", or the name'],
  [/\b(?:am|are|be|been|is|was|were) told\b(?! apart)/g, '"learns", or say who tells'],
  [/\bfor ever\b/g, '"permanently" or "forever"'],
  [/\ball the same\b/g, '"still"'],
  [/\b(?:are|count|counts|exists?|is|over|was|were|works?) no more\b(?! (?:than|\w+s)\b)/g, '"no longer"'],
  [/\bany ?more\b/g, '"no longer"'],
  [/\btells? of\b/g, '"reports", "is about"'],
  [/\banew\b/g, '"again"'],
  [/\bin vain\b/g, 'say what is missing'],
  [/\bof no use\b/g, '"useless", or say what fails'],
  [/\b(?:lest|henceforth|thereof|whence|wherein|whilst)\b/g, 'a word of this century'],
  [/\bnot keep the others\b/g, '"does not delay the others"'],
  [/\bunless (?:told|said)\b/g, '"by default"'],
  [/\blately\b/g, '"recently"'],
  [/\bcome to be\b/g, '"is now"'],
  [/\bbelongs? into\b/g, '"belongs in"'],
  [/\bin clear\b/g, '"in plain text"'],
  [/\bmend(?:s|ed|ing)?\b/g, '"fix", "correct"'],
  [/(?<!\bthere )\b(?:is|are) none\b(?! of)/g, '"is not one", or say what it is'],
  [/\b(?:do|does) not tell\b(?! (?:an?|the|them|you|any\w+)\b)/g, '"does not report"'],
  [
    /\b(?:any|no|some)thing of (?:an?|any|it|that|the|their|theirs|them)\b/g,
    '"none of", "no part of", "nothing about"',
  ],
  [/\b(?:no|one|two|three) (?:approval|attempt|entry|statement|transaction)s? more\b/g, '"one more entry"'],
  [/\bstands? behind\b/g, '"follows", "comes after"'],
  [/\btest\.ts`? holds\b/g, '"tests"'],
  [/\bis for the longest time\b/g, '"the oldest"'],
  [/\be-mail|\b(?!(?:const|from|into|local|table|update) )\w+ mails\b(?![-\w.(=:`])/g, '"email", "emails"'],
  // The quantity stays legal: "earns no more", "and no more".
  [
    /(?<!\b(?:and|are|but|costs?|counts?|earns?|exists?|gets?|holds?|is|or|pays?|than|to|was|were|works?)) no more(?=['`"]? ?[.,:;'`"])/g,
    '"no longer", "again"',
  ],
  [
    new RegExp(String.raw`(?:^|[-.:;*/(){}|'"] ?)not ${PARTICIPLE} (?:are|is)\b`, 'g'),
    'subject first: "reads are not recorded"',
  ],
  [/\bthat [^.]{3,160} (?:are|is) in [\w./-]+\.test\.ts\b/g, '"x.test.ts proves that"'],
  [/\b(?:describe|it|test)(?:\.\w+\(.{0,2000}?\))? ?\( ?['"`]of /g, 'subject first: "one of two requests succeeds"'],
]

/** Texts that keep such a phrase, by the beginning of their path, with the reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'apps/server/src/house-english.test.ts': 'the list itself',
  'docs/reference/': 'the interface in the words of its author',
}

/** The last of the migrations whose text is frozen. */
const FROZEN_MIGRATION = 83

/**
 * What people write: code with its comments, documents, changes. Not contracts, whose bytecode contains a hash of their
 * comments.
 */
const FILES = ['*.md', '.changeset/*.md', '{apps,deploy,docs,examples,packages,scripts}/**/*.{c,md,mjs,sh,ts,tsx}']
const NOT_WRITTEN_HERE = /(^|\/)(node_modules|dist|fixtures|artifacts|generated)(\/|$)/

test('no text has a phrase that sounds translated', () => {
  const found = paths().flatMap((path) =>
    phrasesIn(readFileSync(join(REPOSITORY, path), 'utf8')).map((phrase) => `${path}: ${phrase}`),
  )
  expect(found).toEqual([])
})

test('each exception still has a reason and a phrase', () => {
  for (const [path, reason] of Object.entries(EXCEPTIONS)) {
    const texts = globSync(path.endsWith('/') ? `${path}**/*.md` : path, { cwd: REPOSITORY })
    expect(
      texts.flatMap((each) => phrasesIn(readFileSync(join(REPOSITORY, each), 'utf8'))),
      reason,
    ).not.toEqual([])
  }
})

test('the rule finds a phrase that a comment wraps, and no phrase that only looks like one', () => {
  expect(phrasesIn('// This is a payment for whoever\n// waits here for it.')).toEqual([
    '"a payment for whoever waits here for" (name the person or the program)',
  ])
  expect(phrasesIn('// It counts no\n// more.')).toHaveLength(1)
  expect(phrasesIn('/** Renews these no more: they end. It rests no more. */')).toHaveLength(2)
  expect(phrasesIn('Not recorded are reads.')).toHaveLength(1)
  expect(phrasesIn('// A service sends mails to an e-mail address, mails.')).toHaveLength(2)
  expect(phrasesIn('// That both are equal is in\n// other/both.test.ts.')).toHaveLength(1)
  expect(phrasesIn("test('of two one counts', () => {})")).toHaveLength(1)
  expect(phrasesIn("test.each([\n  ['a', f(1)],\n])('of %s', () => {})")).toHaveLength(1)
  expect(
    phrasesIn('// They cannot be told apart. It pays no more than it holds, and counts no more than once.'),
  ).toEqual([])
  expect(
    phrasesIn('// What others earn no more can pay, and no more. A test of two. What is not open is unknown.'),
  ).toEqual([])
})

function paths(): string[] {
  return globSync(FILES, { cwd: REPOSITORY, exclude: (path) => NOT_WRITTEN_HERE.test(path) })
    .filter((path) => !Object.keys(EXCEPTIONS).some((each) => path.startsWith(each)))
    .filter((path) => Number(/\/migrations\/(\d+)-/.exec(path)?.[1] ?? FROZEN_MIGRATION + 1) > FROZEN_MIGRATION)
    .toSorted()
}

/** Each phrase with the words around it, and what to write instead. */
function phrasesIn(text: string): string[] {
  const line = text.replaceAll(/\n\s*(?:\/\/+|\*(?!\/)|#(?!#)|--)?\s*/g, ' ').toLowerCase()
  return PHRASES.flatMap(([phrase, instead]) =>
    [...line.matchAll(phrase)].map(({ index, 0: found }) => {
      const around = line.slice(Math.max(0, index - 15), index + found.length + 15)
      return `"${around.trim()}" (${instead})`
    }),
  )
}
