import { CHAIN_TEXT_LENGTH_MAX } from '../../kernel/index.ts'

/**
 * A text that a contract or a node chose, fit to be stored, logged and shown: short, on one line, and without characters
 * that PostgreSQL cannot store (NUL) or that change how the rest of a line is shown (escapes, bidirectional marks).
 */
export function readableText(text: string): string {
  return text
    .slice(0, CHAIN_TEXT_LENGTH_MAX)
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, ' ')
    .trim()
}
