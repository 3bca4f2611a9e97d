import { generateKeyPairSync, sign } from 'node:crypto'
import { base58 } from '@scure/base'
import { expect, test } from 'vitest'
import { isSignedBy } from './is-signed-by.ts'

function newKey() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const address = base58.encode(publicKey.export({ format: 'der', type: 'spki' }).subarray(-32))
  return { address, sign: (text: string) => base58.encode(sign(null, Buffer.from(text), privateKey)) }
}
const key = newKey()
const message = 'Weir: a text.\nWith two lines'

test('a text is signed by its signer, and by nobody else', async () => {
  const signature = key.sign(message)
  expect(await isSignedBy(message, signature, key.address)).toBe(true)
  expect(await isSignedBy(message, signature, newKey().address)).toBe(false)
  expect(await isSignedBy(`${message}.`, signature, key.address)).toBe(false)
})

test('a malformed signature is not one', async () => {
  const malformed = ['', '0', 'I'.repeat(88), key.sign(message).slice(0, -1), `${key.sign(message)}1`, '1'.repeat(64)]
  for (const text of malformed) expect(await isSignedBy(message, text, key.address), text).toBe(false)
})
