import { expect, test } from 'vitest'
import { asSdk } from '../src/lib/requests/sdk-call.ts'
import { explorerUrl } from '../src/lib/text/explorers.ts'

const call = (method: string, path: string, body?: unknown) => asSdk({ method, path, body }, 'https://weir.example')

test('a request becomes the call of the client library that sends it', () => {
  expect(call('GET', '/api/core/apikeys/errors?limit=25&offset=0')).toBe(
    [
      "import { Weir } from '@weir/sdk'",
      '',
      "const weir = new Weir({ baseUrl: 'https://weir.example', accessToken: process.env.WEIR_TOKEN! })",
      'const result = await weir.core.apiKeys.errors({\n  limit: 25,\n  offset: 0\n})',
    ].join('\n'),
  )
  expect(call('GET', '/api/core/operations/7')).toContain('weir.core.operations.get(7)')
  expect(call('POST', '/v1/wallets/register', { walletAddress: '0x1' })).toContain(
    'apiKey: process.env.WEIR_API_KEY! })\nconst result = await weir.v1.wallets.register({\n  walletAddress: "0x1"\n})',
  )
  expect(call('GET', '/nowhere')).toBeUndefined()
})

test('addresses and transactions of public chains have a page at an explorer; amounts and other chains have none', () => {
  const address = `0x${'a'.repeat(40)}`
  expect(explorerUrl('polygon', address)).toBe(`https://polygonscan.com/address/${address}`)
  expect(explorerUrl('BASE', `0x${'b'.repeat(64)}`)).toBe(`https://basescan.org/tx/0x${'b'.repeat(64)}`)
  expect(explorerUrl('solana', '2'.repeat(88))).toBe(`https://explorer.solana.com/tx/${'2'.repeat(88)}`)
  expect(explorerUrl('solana', 'So11111111111111111111111111111111111111112')).toContain('/address/So1')
  expect(explorerUrl('somewhere', address)).toBeUndefined()
  expect(explorerUrl('polygon', 'javascript:alert(1)')).toBeUndefined()
})
