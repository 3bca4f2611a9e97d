import { expect, test } from 'vitest'
import { withoutPaths } from './without-paths.ts'

test.each([
  ['https://hooks.example/services/T0/secret', 'https://hooks.example/…'],
  ['https://user:secret@hooks.example:8443/in?token=secret#secret', 'https://hooks.example:8443/…'],
  ['data:secret', '…'],
  ['secret', '…'],
])('only scheme and host of the URL %s are left', (url, shown) => {
  expect(withoutPaths({ url })).toEqual({ url: shown })
})

test('the link of a decision is shortened, too', () => {
  expect(withoutPaths({ decisions: [{ link: 'https://drive.example/s/secret' }, { link: null }] })).toEqual({
    decisions: [{ link: 'https://drive.example/…' }, { link: null }],
  })
})

test('URLs are shortened at any depth, and everything else stays', () => {
  const request = { method: 'PATCH', path: '/api/core/webhooks/1', body: { url: 'https://a.example/s', events: ['*'] } }
  expect(withoutPaths([{ id: 1, note: null, request }])).toEqual([
    { id: 1, note: null, request: { ...request, body: { url: 'https://a.example/…', events: ['*'] } } },
  ])
})
