/**
 * The arithmetic of Aave V3 up to release 3.4. From 3.5 on, a deposit's shares and a balance are rounded down and a
 * withdrawal's shares up, so on such a market these results may be one unit off (ADR 31).
 */

/** Aave counts indexes and rates in rays: 27 decimals. */
export const RAY = 10n ** 27n

/** `a × b` of a number and a ray, rounded half up; matches WadRayMath.rayMul exactly. */
export function rayMul(a: bigint, b: bigint): bigint {
  return (a * b + RAY / 2n) / RAY
}

/** `a ÷ b` of a number and a ray, rounded half up; matches WadRayMath.rayDiv exactly. `b` must be positive. */
export function rayDiv(a: bigint, b: bigint): bigint {
  return (a * RAY + b / 2n) / b
}
