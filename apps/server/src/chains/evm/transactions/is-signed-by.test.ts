import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { isSignedBy } from './is-signed-by.ts'

const account = privateKeyToAccount(generatePrivateKey())
const message = 'Weir: a text.\nWith two lines'

test('a personal message is signed by its signer, and by nobody else', async () => {
  const signature = await account.signMessage({ message })
  expect(await isSignedBy(message, signature, account.address)).toBe(true)
  expect(await isSignedBy(message, signature, privateKeyToAccount(generatePrivateKey()).address)).toBe(false)
  expect(await isSignedBy(`${message}.`, signature, account.address)).toBe(false)
})

test('a malformed signature is not one', async () => {
  const signature = await account.signMessage({ message })
  const malformed = ['', '0x', signature.slice(2), `${signature}00`, signature.slice(0, -2), `0x${'00'.repeat(65)}`]
  for (const text of [...malformed, `0x${'ff'.repeat(65)}`, `0x${'zz'.repeat(65)}`])
    expect(await isSignedBy(message, text, account.address), text).toBe(false)
})
