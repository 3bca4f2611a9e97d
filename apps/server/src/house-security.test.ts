import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { serverSource } from '../testing/source/source-tree.ts'

const code = serverSource()
const having = (pattern: RegExp) => code.filter(({ text }) => pattern.test(text)).map(({ path }) => path)

test('only the guard of embedded programs, its locks and the tests’ node start programs', () => {
  expect(having(/'node:child_process'/).toSorted()).toEqual([
    'chains/evm/test-node.ts',
    'database/embedded/file-lock.ts',
    'database/embedded/postgres-home.ts',
    'kernel/guarded-process.ts',
  ])
})

test('no text becomes code', () => {
  expect(having(/\bnew Function\(|\beval\(|'node:vm'/)).toEqual([])
})

test('no request of the service follows a redirect, except to embedded chains', () => {
  const own = code.filter(({ path }) => !/^chains\/(?:dev\/|evm\/test-node)/.test(path))
  const calls = own.flatMap(({ path, text }) =>
    [...text.matchAll(/(?<!sso\.)\bfetch\((?:url|url\.href|`[^`]*`), \{/g)].map(({ index }) => ({
      path,
      options: text.slice(index, index + 300),
    })),
  )
  expect(calls.map(({ path }) => path).toSorted()).toEqual([
    'chains/rpc/endpoint.ts',
    'identity/anchors/timestamp.ts',
    'ramp/bridge/client.ts',
    'sandbox/shared/chains-link.ts',
    'tracing/span-exporter.ts',
  ])
  expect(calls.filter(({ options }) => !/redirect: '(?:error|manual)'/.test(options))).toEqual([])
  // undici's own `request` follows none without such an option.
  expect(having(/interceptors\.redirect|maxRedirections/)).toEqual([])
})

test('hashes are SHA-256; the protocol of breached passwords and TOTP have SHA-1', () => {
  expect(having(/create(?:Hash|Hmac)\((?!'sha256')/)).toEqual(['identity/members/breached-passwords.ts'])
  expect(having(/'SHA1'/)).toEqual(['identity/factors/totp.ts'])
})

test('docs/secrets.md lists each cryptographic algorithm that the service calls by its name', () => {
  const section = readFileSync(new URL('../../../docs/secrets.md', import.meta.url), 'utf8')
    .split('## Which algorithms are in use?')[1]!
    .toLowerCase()
    .replaceAll('-', '')
  const named =
    /'(aes-\d+-\w+|[HREP]S\d{3})'|create(?:Hash|Hmac|Sign|Verify)\('([\w-]+)'|\b(hkdf)Sync|'(SHA\d+)'|\b(argon2)/g
  const found = new Set(
    code.flatMap(({ text }) =>
      [...text.matchAll(named)].map((match) => match.slice(1).find((name) => name !== undefined)!),
    ),
  )
  expect([...found]).toEqual(expect.arrayContaining(['aes-256-gcm', 'HS256', 'sha256', 'sha1', 'SHA1', 'hkdf']))
  expect([...found].filter((name) => !section.includes(name.toLowerCase().replaceAll('-', '')))).toEqual([])
})
