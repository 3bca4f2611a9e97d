import { ConfigError } from '../config.ts'

/**
 * One step of the start, whose error names the setting that the operator has to look at (contract 2); an error that
 * names it already stays as it is.
 */
export async function attributeToSetting<T>(setting: string, step: () => Promise<T> | T): Promise<T> {
  try {
    return await step()
  } catch (error) {
    const sentence = sentenceOf(error)
    if (error instanceof ConfigError || sentence.includes(setting)) throw error
    throw new Error(`${setting}: ${sentence}`, { cause: error })
  }
}

/** A host with several addresses fails with one error for each and no sentence of its own. */
function sentenceOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(sentenceOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}
