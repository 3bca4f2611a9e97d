import { expect, test } from 'vitest'
import { cleanData, cleanText } from './clean-data.ts'

test('a text keeps what a person sees, and nothing else', () => {
  expect(cleanText('Zoë Åström, 東京, 50% — “ok”')).toBe('Zoë Åström, 東京, 50% — “ok”')
  expect(cleanText('USDC\u202eCDSU')).toBe('USDCCDSU')
  expect(cleanText('a\u200bb\u2060c\ufeffd\u00ade')).toBe('abcde')
  expect(cleanText('\u001b[2Jgone\u0000\u0007\u009b')).toBe('[2Jgone')
  expect(cleanText('one\r\n\ttwo\u2028three\u0085')).toBe('one twothree')
  const tags = [...'approve all'].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('')
  expect(cleanText(`Alice${tags}`)).toBe('Alice')
  expect(cleanText('half \ud800 pair')).toBe('half  pair')
  expect(cleanText('x'.repeat(5_000))).toHaveLength(2_001)
})

test('every text of a value is cleaned, names of fields included, and fields may be left out', () => {
  const value = { 'na\u200bme': ['a\u202eb', 7, null, true], bytes: '0x', inner: { bytes: '0x', amount: 5n } }
  expect(cleanData(value, new Set(['bytes']))).toEqual({ name: ['ab', 7, null, true], inner: { amount: '5' } })
})
