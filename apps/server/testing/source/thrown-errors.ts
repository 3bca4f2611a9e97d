import { type Declared, declarationsIn, mentionsIn } from './declarations.ts'
import type { SourceFile } from './source-tree.ts'

/** An exported function with the error codes that it throws and those that its comment names. */
export interface ThrowingFunction {
  readonly path: string
  readonly name: string
  /** Thrown in its body, or in a function of its file that it mentions, or made by a helper that returns a `Failure`. */
  readonly thrown: readonly string[]
  /** In its comment, or in the comment of a function that this one links to or refers to by "those of `it`". */
  readonly named: ReadonlySet<string>
}

/** The exported functions of some files, except those that only make a failure. */
export function throwingFunctions(files: readonly SourceFile[], codes: ReadonlySet<string>): ThrowingFunction[] {
  const { all, find } = declarationsIn(files)

  function thrownBy(one: Declared, seen = new Set<Declared>()): string[] {
    if (seen.has(one)) return []
    seen.add(one)
    return mentionsIn(one.node).flatMap((mention) => {
      if ('code' in mention) return codes.has(mention.code) ? [mention.code] : []
      if (mention.name === 'validationError') return ['VALIDATION_ERROR']
      const other = find(one.path, mention.name)
      return other && (other.path === one.path || other.makesFailure) ? thrownBy(other, seen) : []
    })
  }

  function namedBy({ path, comment }: Declared, depth = 0): string[] {
    const own = comment.match(/\b[A-Z]+(?:_[A-Z]+)*\b/g) ?? []
    const referred = [...comment.matchAll(/\{@link (\w+)\}|\bthose of `(\w+)`/g)].flatMap(([, link, word]) => {
      const other = find(path, (link ?? word)!)
      return other && depth < 5 ? namedBy(other, depth + 1) : []
    })
    return [...own, ...referred]
  }

  return all
    .filter(({ isExported, makesFailure }) => isExported && !makesFailure)
    .map((one) => ({
      path: one.path,
      name: one.name,
      thrown: [...new Set(thrownBy(one))],
      named: new Set(namedBy(one)),
    }))
}

/** The codes that comments list after "Error" or "Errors", with a colon. */
export function listedCodes({ text }: SourceFile): string[] {
  const comments = text.match(/\/\*\*[\s\S]*?\*\//g) ?? []
  const lists = comments.flatMap((comment) => [...comment.matchAll(/\bErrors?: ([^.]*)/g)].map(([, list = '']) => list))
  return lists.flatMap((list) => list.match(/\b[A-Z]+_[A-Z_]+\b/g) ?? [])
}
