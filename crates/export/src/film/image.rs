//! Images of frames: whether one is complete, and pairs for two eyes.

use super::Pairing;
use crate::Error;
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Seek, SeekFrom};
use std::path::Path;

/// Whether a file is a PNG image of the given size with an end.
pub(super) fn is_whole(path: &Path, size: [u32; 2]) -> bool {
    let read = || -> std::io::Result<([u8; 24], [u8; 12])> {
        let (mut head, mut end) = ([0; 24], [0; 12]);
        let mut file = File::open(path)?;
        file.read_exact(&mut head)?;
        file.seek(SeekFrom::End(-12))?;
        file.read_exact(&mut end)?;
        Ok((head, end))
    };
    let Ok((head, end)) = read() else { return false };
    let wide = size.map(u32::to_be_bytes).concat();
    head.starts_with(b"\x89PNG\r\n\x1a\n") && head[16..] == wide && end == *b"\0\0\0\0IEND\xaeB`\x82"
}

/// An image of 8-bit red, green and blue.
struct Image {
    width: usize,
    height: usize,
    pixels: Vec<[u8; 3]>,
}

fn read_image(path: &Path) -> Result<Image, Error> {
    let broken = |e: png::DecodingError| Error::file("read", path)(std::io::Error::other(e));
    let file = File::open(path).map_err(Error::file("read", path))?;
    let mut decoder = png::Decoder::new(BufReader::new(file));
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().map_err(broken)?;
    let size = reader.output_buffer_size().unwrap_or(0);
    let mut bytes = vec![0; size];
    let info = reader.next_frame(&mut bytes).map_err(broken)?;
    let samples = info.color_type.samples();
    let pixel = |p: &[u8]| if samples < 3 { [p[0]; 3] } else { [p[0], p[1], p[2]] };
    let pixels = bytes[..info.buffer_size()].chunks_exact(samples).map(pixel).collect();
    Ok(Image { width: info.width as usize, height: info.height as usize, pixels })
}

fn write_image(image: &Image, path: &Path) -> Result<(), Error> {
    let broken = |e: png::EncodingError| match e {
        png::EncodingError::IoError(e) => Error::file("write", path)(e),
        other => Error::file("write", path)(std::io::Error::other(other)),
    };
    let file = File::create(path).map_err(Error::file("write", path))?;
    let mut encoder = png::Encoder::new(BufWriter::new(file), image.width as u32, image.height as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header().map_err(broken)?;
    writer.write_image_data(image.pixels.as_flattened()).map_err(broken)?;
    writer.finish().map_err(broken)
}

/// Two images of one size become one.
pub(super) fn pair(left: &Path, right: &Path, pairing: Pairing, output: &Path) -> Result<(), Error> {
    let [l, r] = [read_image(left)?, read_image(right)?];
    let image = match pairing {
        Pairing::SideBySide => {
            let rows = l.pixels.chunks(l.width).zip(r.pixels.chunks(r.width));
            let pixels = rows.flat_map(|(l, r)| l.iter().chain(r)).copied().collect();
            Image { width: l.width + r.width, height: l.height, pixels }
        }
        Pairing::RedCyan => {
            let mix = |(l, r): (&[u8; 3], &[u8; 3])| [brightness(*l), r[1], r[2]];
            Image { pixels: l.pixels.iter().zip(&r.pixels).map(mix).collect(), ..l }
        }
    };
    write_image(&image, output)
}

/// Grey of the same brightness, by the weights of ITU-R BT.601.
fn brightness([r, g, b]: [u8; 3]) -> u8 {
    ((299 * u32::from(r) + 587 * u32::from(g) + 114 * u32::from(b) + 500) / 1000) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn pairs_are_what_glasses_and_screens_want() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let image = |pixels: Vec<[u8; 3]>| Image { width: 2, height: 2, pixels };
        write_image(&image(vec![[255, 0, 0], [0, 255, 0], [9, 9, 9], [0; 3]]), &path("l")).unwrap();
        write_image(&image(vec![[1, 2, 3], [4, 5, 6], [7, 8, 9], [10, 11, 12]]), &path("r")).unwrap();
        pair(&path("l"), &path("r"), Pairing::SideBySide, &path("s")).unwrap();
        let side = read_image(&path("s")).unwrap();
        assert_eq!((side.width, side.height), (4, 2));
        assert_eq!(side.pixels[4..], [[9, 9, 9], [0; 3], [7, 8, 9], [10, 11, 12]]);
        pair(&path("l"), &path("r"), Pairing::RedCyan, &path("a")).unwrap();
        assert_eq!(read_image(&path("a")).unwrap().pixels, [[76, 2, 3], [150, 5, 6], [9, 8, 9], [0, 11, 12]]);
        assert!(is_whole(&path("s"), [4, 2]) && !is_whole(&path("s"), [2, 4]));
    }

    #[test]
    fn a_cut_image_is_not_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.png");
        write_image(&Image { width: 3, height: 1, pixels: vec![[5; 3]; 3] }, &path).unwrap();
        let bytes = fs::read(&path).unwrap();
        assert!(is_whole(&path, [3, 1]));
        for cut in 0..bytes.len() {
            fs::write(&path, &bytes[..cut]).unwrap();
            assert!(!is_whole(&path, [3, 1]), "cut at {cut}");
        }
    }
}
