import { expect, test } from 'vitest'
import { readableText } from './readable-text.ts'

test.each([
  ['an ordinary reason stays', 'ERC20: transfer amount exceeds balance', 'ERC20: transfer amount exceeds balance'],
  ['NUL, line breaks and escapes become spaces', 'a\u0000b\r\nc\u001b[31md\u2028e', 'a b  c [31md e'],
  ['marks that turn the direction of text become spaces', 'a\u202eb\u2066c\ufeffd', 'a b c d'],
  ['half a character becomes a space', 'a\ud800b', 'a b'],
  ['only blanks are no text', '\u0000 \n', ''],
  ['other scripts stay', 'недостаточно средств 不足 🙂', 'недостаточно средств 不足 🙂'],
])('%s', (_, text, readable) => expect(readableText(text)).toBe(readable))

test('a long text ends at 1,000 characters, also between the halves of one', () => {
  expect(readableText('x'.repeat(2_000_000))).toBe('x'.repeat(1_000))
  expect(readableText(`${'x'.repeat(999)}🙂`)).toBe('x'.repeat(999))
})
