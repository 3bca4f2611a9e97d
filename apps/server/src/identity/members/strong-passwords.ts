import type { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { PASSWORD_GUESSES_LOG10_MIN, PASSWORD_JUDGED_LENGTH } from '../../kernel/index.ts'
import type { BreachedPasswords, PasswordRules } from '../shared/password-rules.ts'

/** Words that say where the password is used. */
const PRODUCT_WORDS = ['weir']

/**
 * Refuses passwords that are common, close to a common one, a pattern on the keyboard, or made of the account's own
 * names, and those of breaches if a list is given. The first check loads the dictionary, about 30 MiB.
 */
export function strongPasswords(breached?: BreachedPasswords): PasswordRules {
  let estimator: Promise<ZxcvbnFactory> | undefined
  return {
    async refusalOf(password, about) {
      estimator ??= loadEstimator()
      const { guessesLog10 } = (await estimator).check(password, [...PRODUCT_WORDS, ...about.flatMap(wordsOf)])
      if (guessesLog10 < PASSWORD_GUESSES_LOG10_MIN)
        return 'is easy to guess: avoid common passwords, repetitions, keyboard patterns and your own name'
      if (await breached?.has(password)) return 'appears in a list of breached passwords: choose another'
      return undefined
    },
  }
}

async function loadEstimator(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory }, common] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ])
  return new ZxcvbnFactory({
    dictionary: { passwords: common.dictionary['passwords-common'] },
    graphs: common.adjacencyGraphs,
    maxLength: PASSWORD_JUDGED_LENGTH,
  })
}

/** `Ada.Lovelace@acme.example` is tried as a whole, as `Ada.Lovelace` and `AdaLovelace`, and by its parts. */
function wordsOf(text: string): string[] {
  const [local = ''] = text.split('@')
  const parts = (of: string) => of.split(/[^\p{L}\p{N}]+/u)
  return [text, local, parts(local).join(''), ...parts(text)].filter((word) => word.length > 2)
}
