import { expect, test } from 'vitest'
import { ServiceError } from '../service/service-error.ts'
import { watchApiKey } from './watch-api-key.ts'

const unknown = new ServiceError(401, 'UNAUTHORIZED', 'Missing or invalid credentials.')
const ofProfile = new ServiceError(403, 'FORBIDDEN', 'This is a v1-only key (scope profile).')
const silent = new ServiceError(0, 'NO_ANSWER', 'silent')

function watched() {
  const lines: string[] = []
  const say = (level: string) => (fields: { readonly err?: string; readonly failures?: number }, text: string) =>
    void lines.push([level, text, fields.err ?? fields.failures].join(' | '))
  const clock = { monotonic: () => 0 }
  const log = { error: say('error'), warn: say('warn'), info: say('info') }
  const watch = watchApiKey({ url: 'http://service', log: log as never, clock })
  return { lines, transactions: watch, actions: watch }
}

test.each([
  [unknown, '401 UNAUTHORIZED: Missing or invalid credentials.'],
  [ofProfile, '403 FORBIDDEN: This is a v1-only key (scope profile).'],
])(
  'a key that is refused, also from the start, is one error that names the setting and the kind of key: %s',
  (refusal, said) => {
    const { transactions, actions, lines } = watched()
    for (const _try of [1, 2, 3]) {
      actions(refusal)
      transactions(refusal)
    }
    expect(lines).toEqual([
      `error | the service refuses the API key; retrying | WEIR_API_KEY (or WEIR_API_KEY_FILE) must be an organization key that http://service accepts; it returns ${said}`,
    ])
    transactions(undefined)
    actions(undefined)
    expect(lines.slice(1)).toEqual(['info | the service accepts the API key | 6'])
  },
)

test('a key that is refused again, or for another reason, is logged again', () => {
  const { transactions, lines } = watched()
  transactions(undefined)
  transactions(unknown)
  transactions(ofProfile)
  transactions(undefined)
  transactions(unknown)
  expect(lines.map((line) => line.split(' | ')[0])).toEqual(['error', 'error', 'info', 'info', 'error'])
})

test('a service that issues no work for a while is two lines, however often it is polled', () => {
  const { transactions, actions, lines } = watched()
  for (const _try of [1, 2, 3]) {
    transactions(silent)
    actions(silent)
  }
  transactions(undefined)
  actions(undefined)
  expect(lines).toEqual(['warn | the service issues no work | silent', 'info | the service issues work again | 6'])
})
