import { useLayoutEffect, useState, type RefObject } from 'react';

/** Width of an element in CSS pixels and the device pixels per CSS pixel; both follow changes and zoom. */
export function useWidth(element: RefObject<HTMLElement | null>, first: number): { width: number; ratio: number } {
  const [size, setSize] = useState({ width: first, ratio: 1 });
  // before anything is painted, so that nothing moves once the width is known
  useLayoutEffect(() => {
    const measure = (): void => {
      const width = Math.floor(element.current?.getBoundingClientRect().width ?? 0);
      // a hidden part of the page keeps its size; one that is gone may be told once more
      if (width > 0) setSize({ width, ratio: devicePixelRatio || 1 });
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element.current!);
    addEventListener('resize', measure);
    return () => {
      observer.disconnect();
      removeEventListener('resize', measure);
    };
  }, [element]);
  return size;
}
