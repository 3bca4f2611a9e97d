import { expect, test } from 'vitest'
import { parseSource, serverSource } from '../testing/source/source-tree.ts'
import { listedCodes, throwingFunctions } from '../testing/source/thrown-errors.ts'
import { ERRORS } from './kernel/index.ts'

/**
 * TypeScript does not check what a function throws. Comments say it, and these tests compare them with the code (ADR 171):
 * an exported function names every error that its own file throws. Errors from further down are named by reference, as
 * in "those of `planMove`".
 */

const CODES = new Set(Object.keys(ERRORS))
/** Rooms whose errors are named elsewhere. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  chains: 'the comments of the port name the errors of its adapters',
  kernel: 'it declares errors',
  main: 'it composes',
  surfaces: 'the descriptions of routes name them',
  'venues/share-vault': 'the comments of the port name the errors of its adapters',
}
/** Functions that do not throw what the rule finds, each with the reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'identity/authenticator.ts authenticatorOf': 'the comments of Authenticator name the errors of its functions',
  'identity/organizations/erase-organization.ts eraseRequested': 'logs what one organization throws, and goes on',
  'ramp/accounts/open-account.ts openOnrampAccount': 'only an off-ramp account needs the address of the recipient',
  'ramp/personal/erase-customers.ts RAMP_ERASURE': 'the comment of eraseRecipient names the error',
  'ramp/sandbox/run-transfers.ts runDueTransfers': 'logs what one payment throws, and goes on',
}
/** They return an object: the comments of its interface name the errors of its functions. */
const MAKERS = /^create[A-Z]/
const files = serverSource()

test('an exported function names every error that its file throws', () => {
  const judged = throwingFunctions(files, CODES).filter(
    ({ path, name }) => !MAKERS.test(name) && !Object.keys(ELSEWHERE).some((folder) => path.startsWith(`${folder}/`)),
  )
  expect(judged.filter(({ thrown }) => thrown.length > 0).length).toBeGreaterThan(150)
  const wrong = judged.flatMap(unnamed)
  expect(wrong.filter((sentence) => !(sentence.split(':')[0]! in EXCEPTIONS))).toEqual([])
  const stale = Object.keys(EXCEPTIONS).filter((name) => !wrong.some((sentence) => sentence.startsWith(`${name}:`)))
  expect(stale).toEqual([])
})

test('every error that a comment lists is in the registry', () => {
  const listed = files.flatMap((file) => listedCodes(file).map((code) => ({ path: file.path, code })))
  expect(listed.length).toBeGreaterThan(300)
  expect(listed.filter(({ code }) => !CODES.has(code))).toEqual([])
})

test('the rule finds errors of helpers, of conditions and of functions that make a failure', () => {
  const made = parseSource('a/made.ts', "export const gone = () => new Failure('NOT_FOUND')")
  const judged = (text: string) => throwingFunctions([parseSource('a/b.ts', text), made], CODES).flatMap(unnamed)
  const all = ['CONFLICT', 'FORBIDDEN', 'NOT_FOUND', 'VALIDATION_ERROR']
  const text = `
    import { gone } from './made.ts'
    export function f(x) { return g(x) }
    const g = (x) => { if (x) throw new Failure(x > 1 ? 'CONFLICT' : 'FORBIDDEN', {}); h(x) }
    function h(x) { if (!x) throw gone(); throw validationError('x', 'is wrong') }`
  expect(judged(text)).toEqual([`a/b.ts f: ${all.join(', ')}`])
  const withComment = (comment: string) => text.replace('export', `/** ${comment} */\nexport`)
  expect(judged(withComment(`Errors: ${all.join(', ')}.`))).toEqual([])
  expect(judged(withComment('Errors: CONFLICT, FORBIDDEN; those of `k`.'))).toEqual([
    'a/b.ts f: NOT_FOUND, VALIDATION_ERROR',
  ])
  const linked = `${withComment('Errors: CONFLICT, FORBIDDEN; those of {@link k}.')}
    /** Errors: NOT_FOUND, VALIDATION_ERROR. */
    export function k() {}`
  expect(judged(linked)).toEqual([])
  expect(listedCodes(parseSource('x.ts', '/** Errors: NO_SUCH_CODE, or SOME_TEXT. NOT_LISTED */'))).toEqual([
    'NO_SUCH_CODE',
    'SOME_TEXT',
  ])
})

function unnamed({ path, name, thrown, named }: ReturnType<typeof throwingFunctions>[number]): string[] {
  const missing = thrown.filter((code) => !named.has(code)).toSorted()
  return missing.length > 0 ? [`${path} ${name}: ${missing.join(', ')}`] : []
}
