import { describe, expect, test } from 'vitest'
import { strongPasswords } from './strong-passwords.ts'

const rules = strongPasswords()
const ABOUT = ['Ada.Lovelace@acme.example', 'Ada Lovelace', 'Acme Payments']

describe('a password that an attacker tries early is refused', () => {
  test.each([
    ['a common one', '123qweasdzxc'],
    ['a common one with the usual substitutions', 'P4ssw0rd!2024'],
    ['a common one, twice', 'passwordpassword'],
    ['one character', 'aaaaaaaaaaaaaaaaaaaa'],
    ['a keyboard pattern', 'qwertyuiop[]'],
    ['a sequence', 'abcdefghijklm'],
    ['the name in the email address', 'ada.lovelace1'],
    ['the name of the organization', 'AcmePayments24'],
    ['the name of the product', 'weirweirweir1'],
  ])('%s', async (_, password) => {
    expect(await rules.refusalOf(password, ABOUT)).toContain('is easy to guess')
  })
})

test.each(['correct horse battery staple', 'maple-orbit-cactus', 'kX9#mPq2$vLw', 'Straßenbahnhaltestelle 41'])(
  '%s is accepted, whatever characters it is made of',
  async (password) => {
    expect(await rules.refusalOf(password, ABOUT)).toBeUndefined()
  },
)

test('a strong password on a list of breached ones is refused', async () => {
  const listed = strongPasswords({ has: async (password) => password === 'maple-orbit-cactus' })
  expect(await listed.refusalOf('maple-orbit-cactus', [])).toContain('breached')
  expect(await listed.refusalOf('maple-orbit-teapot', [])).toBeUndefined()
})

test('a password of the greatest length costs no more than a short one: its first characters are judged', async () => {
  const cost = async (password: string) => {
    const before = process.cpuUsage()
    await rules.refusalOf(password, ABOUT)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1_000
  }
  const varied = Array.from({ length: 1_024 }, (_, at) => String.fromCharCode(33 + ((at * 7_919) % 90))).join('')
  expect(await cost(varied)).toBeLessThan(500)
  expect(await cost('aB1!'.repeat(256))).toBeLessThan(500)
})
