import { expect, test } from 'vitest'
import { ServiceError } from '../service/service-error.ts'
import { watchApiKey } from './watch-api-key.ts'

const unknown = new ServiceError(401, 'UNAUTHORIZED', 'Missing or invalid credentials.')
const ofProfile = new ServiceError(403, 'FORBIDDEN', 'This is a v1-only key (scope profile).')
const silent = new ServiceError(0, 'NO_ANSWER', 'silent')

function watched() {
  const lines: string[] = []
  const warn = (fields: { readonly err: string }) => void lines.push(fields.err)
  const info = (_fields: unknown, text: string) => void lines.push(text)
  const clock = { monotonic: () => 0 }
  const listen = watchApiKey({ url: 'http://service', log: { warn, info } as never, clock })
  return { lines, transactions: listen('transactions'), actions: listen('actions') }
}

test.each([
  [unknown, '401 UNAUTHORIZED: Missing or invalid credentials.'],
  [ofProfile, '403 FORBIDDEN: This is a v1-only key (scope profile).'],
])(
  'a first response that rejects the key throws an error with the setting and the kind of key: %s',
  (refusal, said) => {
    const { actions, lines } = watched()
    expect(() => actions(refusal)).toThrow(
      `WEIR_API_KEY (or WEIR_API_KEY_FILE) must be an organization key that http://service accepts; it returns ${said}`,
    )
    expect(lines).toEqual([])
  },
)

test('an unavailable service is awaited, and its first response decides', () => {
  const { transactions, actions, lines } = watched()
  transactions(silent)
  actions(silent)
  expect(lines).toEqual(['silent'])
  expect(() => transactions(unknown)).toThrow('WEIR_API_KEY')
})

test('a service that issues no work for a while is two lines, however often it is polled', () => {
  const { transactions, actions, lines } = watched()
  for (const _try of [1, 2, 3]) {
    transactions(silent)
    actions(silent)
  }
  transactions(undefined)
  actions(undefined)
  expect(lines).toEqual(['silent', 'the service issues work again'])
})

test('a key rejected later is logged once per try, with its setting, until it is accepted again', () => {
  const { transactions, actions, lines } = watched()
  transactions(undefined)
  for (const _try of [1, 2]) {
    actions(unknown)
    transactions(unknown)
  }
  expect(lines).toEqual([expect.stringMatching(/^WEIR_API_KEY /), expect.stringMatching(/^WEIR_API_KEY /)])
  actions(undefined)
  transactions(unknown)
  expect(lines.length).toBe(3)
})
