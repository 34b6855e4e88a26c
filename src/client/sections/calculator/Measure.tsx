import { m } from 'framer-motion';
import { type KeyboardEvent, useEffect, useRef, useState, useCallback } from 'react';
import { css, styled } from 'styled-components';
import { averageGain, sliders } from '#shared/brand/measures.ts';
import { calculator } from '#shared/brand/landing.ts';
import { media, needsScripts, token } from '#client/theme/tokens.ts';
import { figureLook } from '#client/ui/Section.tsx';
import { SmallTitle } from '#client/ui/Section.tsx';
import { ExactEntry, type MeasureProps } from './ExactEntry.tsx';
import { nativeStep, nearestOnGrid, steppedOnGrid, stepsForKey } from './sliderGrid.ts';
import { placeOnScale, Ruler } from './Ruler.tsx';

const thumbSize = '2.25rem';

/** One dimension: its name, now and projected, and the slider lying on the rule. */
export function Measure({ dimension, value, onMove }: MeasureProps) {
  const id = `calculator-${dimension}`;
  const [seen, setSeen] = useState(false);
  const { shown, restart } = useCountUp(value + averageGain[dimension]);
  const { min, max } = sliders[dimension];
  const { unit } = calculator;

  const slider = useRef<HTMLInputElement>(null);

  // Visitors can move the slider before its code is loaded; the new position counts.
  useEffect(() => {
    const input = slider.current;
    if (input === null || input.value === input.defaultValue) return;
    onMove(dimension, nearestOnGrid(dimension, input.valueAsNumber));
  }, [dimension, onMove]);

  function comeIntoView() {
    setSeen(true);
    restart(value);
  }

  function onKeyDown(event: KeyboardEvent) {
    const steps = stepsForKey(dimension, event.key);
    if (steps === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    onMove(dimension, steppedOnGrid(dimension, value, steps));
  }

  return (
    <Block>
      <Name>
        <SmallTitle as="label" htmlFor={id}>
          {calculator.labels[dimension]}
        </SmallTitle>
        <ExactEntry dimension={dimension} value={value} onMove={onMove} />
      </Name>
      <Numbers aria-hidden="true">
        <div>
          <dt>{calculator.now}</dt>
          <dd>
            {`${value.toFixed(2)} `}
            <small>{unit}</small>
          </dd>
        </div>
        <div className="projected">
          <dt>{calculator.projected}</dt>
          <dd>
            {`${shown.toFixed(2)} `}
            <small>{unit}</small>
          </dd>
        </div>
        <div className="gain">
          <dt>{calculator.gain}</dt>
          <dd>{`+${averageGain[dimension].toFixed(2)}`}</dd>
        </div>
      </Numbers>
      <Rule onViewportEnter={comeIntoView} viewport={{ once: true, margin: '0px 0px -12% 0px' }}>
        <Ruler dimension={dimension} value={value} seen={seen} />
        <Slider
          ref={slider}
          id={id}
          type="range"
          min={min}
          max={max}
          step={nativeStep(dimension, value)}
          value={value}
          aria-valuetext={`${value.toFixed(2)} ${calculator.unitLong}`}
          onKeyDown={onKeyDown}
          onChange={(event) => onMove(dimension, nearestOnGrid(dimension, event.currentTarget.valueAsNumber))}
          style={placeOfSlider(min, max)}
        />
      </Rule>
    </Block>
  );
}

/** Wider than its part of the ruler by one thumb, so that the middle of the thumb marks the value. */
function placeOfSlider(min: number, max: number) {
  const [from, to] = [placeOnScale(min), placeOnScale(max)];
  return {
    insetInlineStart: `calc(${from} - ${thumbSize} / 2)`,
    inlineSize: `calc(${to} - ${from} + ${thumbSize})`,
  };
}

const Block = styled.div`
  display: grid;
  gap: 0.75rem 2rem;
  padding-block: 1rem;

  & + & {
    border-block-start: 1px solid var(--surface-line);
  }

  ${media.tablet} {
    grid-template-columns: minmax(0, 1fr) auto;
    align-items: end;
  }
`;

const Name = styled.div`
  display: flex;
  align-items: center;
  justify-content: space-between;
  gap: 1rem 1.5rem;
`;

const Numbers = styled.dl`
  display: grid;
  grid-template: auto auto / repeat(3, auto);
  justify-content: space-between;
  column-gap: 1rem;
  font-variant-numeric: tabular-nums;

  /* All labels share one line and all figures another, at any size. */
  & > div {
    display: grid;
    grid-row: span 2;
    grid-template-rows: subgrid;
    align-items: baseline;
  }

  & dt {
    color: ${token.muted};
    font-size: 0.875rem;
    line-height: 1.4;
  }

  & dd {
    color: var(--surface-heading);
    font-size: ${token.titleSmall};
    ${figureLook}
    word-spacing: -0.06em;
  }

  & small {
    font-size: ${token.text};
    font-weight: 500;
    letter-spacing: 0;
  }

  & .projected dd,
  & .gain dd {
    font-size: ${token.title};
  }

  & .gain dd {
    color: ${token.accent};
  }

  ${media.tablet} {
    justify-content: end;
    column-gap: 2.5rem;

    /* On phones a long value may wrap before its unit. */
    & dd {
      white-space: nowrap;
    }

    & .projected dd,
    & .gain dd {
      font-size: ${token.titleLarge};
    }
  }
`;

const Rule = styled(m.div)`
  position: relative;

  ${media.tablet} {
    grid-column: 1 / -1;
  }
`;

const thumb = css`
  box-sizing: border-box;
  inline-size: ${thumbSize};
  block-size: ${thumbSize};
  border: 2px solid ${token.primary};
  border-radius: ${token.pill};
  background: ${token.background};
  cursor: grab;
`;

const Slider = styled.input`
  position: absolute;
  inset-block-start: 0;
  block-size: 48px;
  appearance: none;
  background: none;
  cursor: pointer;
  touch-action: pan-y;

  &::-webkit-slider-runnable-track {
    block-size: 48px;
    background: none;
  }

  &::-moz-range-track {
    block-size: 48px;
    background: none;
  }

  &::-webkit-slider-thumb {
    appearance: none;
    margin-block-start: calc((48px - ${thumbSize}) / 2);
    ${thumb}
  }

  &::-moz-range-thumb {
    ${thumb}
  }

  &:active::-webkit-slider-thumb {
    cursor: grabbing;
  }

  &:focus-visible {
    outline: none;
  }

  &:focus-visible::-webkit-slider-thumb {
    outline: 3px solid var(--focus);
    outline-offset: 3px;
  }

  &:focus-visible::-moz-range-thumb {
    outline: 3px solid var(--focus);
    outline-offset: 3px;
  }
  ${needsScripts}
`;

const durationMs = 450;

function easeOut(share: number): number {
  return 1 - (1 - share) ** 3;
}

/**
 * The number to draw while it runs to `target` (450 ms), and `restart` to let it run again from another number. It
 * starts at the target, so the server's HTML and the first paint are right, and it ends at the target. Under reduced
 * motion it is always the target.
 */
function useCountUp(target: number): { shown: number; restart: (from: number) => void } {
  const [shown, setShown] = useState(target);
  const current = useRef(target);
  // In a ref, as a late call of an earlier `restart` must run to what is the target by then.
  const goal = useRef(target);
  const frame = useRef(0);

  const run = useCallback(() => {
    cancelAnimationFrame(frame.current);
    const from = current.current;
    if (from === goal.current) return;
    const reduced = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    let startMs: number | undefined;
    function draw(nowMs: number) {
      startMs ??= nowMs;
      const share = reduced ? 1 : Math.min(1, (nowMs - startMs) / durationMs);
      current.current = share === 1 ? goal.current : from + (goal.current - from) * easeOut(share);
      setShown(current.current);
      if (share < 1) frame.current = requestAnimationFrame(draw);
    }
    frame.current = requestAnimationFrame(draw);
  }, []);

  useEffect(() => {
    goal.current = target;
    run();
  }, [run, target]);
  useEffect(() => () => cancelAnimationFrame(frame.current), []);

  const restart = useCallback(
    (from: number) => {
      current.current = from;
      run();
    },
    [run],
  );

  return { shown, restart };
}
