//! `windlass export`: a scene or a recording → pictures, films, models, tables, scene text; by file extension.

mod source;

use crate::console::{self, Console};
use crate::interrupt::Interrupt;
use crate::load::{Changes, frequency, instant, time};
use crate::log::{Log, Sampling};
use crate::outcome::Outcome;
use crate::table::Destination;
use crate::{load, recording, show};
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use source::Source;
use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use windlass_export::film::{self, Film, Pairing, Stage};
use windlass_export::{Error, Instants, Picture, built, gltf, pov, svg, usda};
use windlass_host::Plan;
use windlass_host::run::step_count;
use windlass_scene::save::{Older, save};

const EXAMPLES: &str = "\
Examples:
  windlass export crane.toml -o crane.svg --at \"3 s\"              # a drawing; needs no other program
  windlass export crane.toml -o crane.png --at \"3 s\" --size 1280x720   # by povray
  windlass export crane.wlr -o crane.mp4 --fps 30                 # by povray and ffmpeg; resumes where it stopped
  windlass export crane.wlr -o crane.glb                          # glTF with animation, for browsers and Blender
  windlass export crane.toml -o crane.usda --duration 5
  windlass export crane.toml -o frames.pov --fps 10               # a folder of POV-Ray scenes
  windlass export crane.toml -o pair.png --stereo 65mm,12m
  windlass export crane.toml -o flat.toml --set \"parameters.length=3 m\"   # includes and patterns expanded
  windlass export crane.wlr -o crane.csv

Images and films need `apt install povray ffmpeg`.";

/// Export pictures, films, 3D models or tables of a scene or a recording
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// A scene (.toml), which is simulated, or a recording (.wlr)
    pub source: PathBuf,
    /// The file to write: .svg .png .mp4 .pov .glb .usda .csv .parquet .toml
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    pub changes: Changes,
    /// Length of the excerpt; default: the whole recording, or the duration of the scene
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub duration: Option<f64>,
    /// Time of a still picture; default: the start
    #[arg(long, value_name = "TIME", value_parser = instant)]
    at: Option<f64>,
    /// Frames per second
    #[arg(long, value_name = "FREQUENCY", value_parser = frequency, default_value = "30")]
    pub fps: f64,
    /// Camera of the scene; default: the first
    #[arg(long, value_name = "NAME")]
    camera: Option<String>,
    /// Width and height of images [pixels]
    #[arg(long, value_name = "WxH", value_parser = size, default_value = "1280x720")]
    size: [u32; 2],
    /// Quality of rendered images
    #[arg(long, value_name = "NAME", default_value = "good")]
    quality: Quality,
    /// Stereo pair: eye separation and distance of the plane of zero parallax ("65mm,10m")
    #[arg(long, value_name = "EYES,CONVERGENCE", value_parser = stereo)]
    stereo: Option<[f64; 2]>,
    /// Red-cyan anaglyph instead of side by side
    #[arg(long, requires = "stereo")]
    anaglyph: bool,
    /// Draw no ground
    #[arg(long)]
    no_ground: bool,
    /// Folder for the frames of a film, which are kept; default: the film's name with .frames
    #[arg(long, value_name = "FOLDER")]
    frames: Option<PathBuf>,
    /// Drop keyframes of a glTF animation that change the motion by less than this [m and rad]
    #[arg(long, value_name = "NUMBER", default_value_t = 0.0)]
    tolerance: f64,
}

/// Quality of rendered images.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Quality {
    /// One ray per pixel
    Draft,
    /// More rays at edges
    Good,
    /// Many rays at edges
    Fine,
}

fn size(text: &str) -> Result<[u32; 2], String> {
    let wrong = || "give width and height, as in 1280x720".to_string();
    let (width, height) = text.split_once('x').ok_or_else(wrong)?;
    Ok([width.trim().parse().map_err(|_| wrong())?, height.trim().parse().map_err(|_| wrong())?])
}

fn stereo(text: &str) -> Result<[f64; 2], String> {
    let wrong = || "give the eye separation and the distance of convergence, as in 65mm,10m".to_string();
    let (eyes, convergence) = text.split_once(',').ok_or_else(wrong)?;
    let length = windlass_scene::units::dimension(1, 0, 0, 0);
    let meters = |text: &str| windlass_scene::units::parse(text, length).map_err(|e| e.to_string());
    let [eyes, convergence] = [meters(eyes)?, meters(convergence)?];
    if eyes > 0.0 && convergence > 0.0 { Ok([eyes, convergence]) } else { Err(wrong()) }
}

/// Exports.
pub fn export(arguments: &Arguments) -> Outcome {
    let real = |path: &Path| path.canonicalize().ok();
    if real(&arguments.output).is_some_and(|output| real(&arguments.source) == Some(output)) {
        return show::refuse("this would overwrite the source: give another name");
    }
    if arguments.source.is_dir() {
        show::tell(&format!("error: {} is a folder", arguments.source.display()));
        show::tell("  help: give a scene (.toml) or a recording (.wlr)");
        return Outcome::File;
    }
    if let Err(outcome) = room(arguments) {
        return outcome;
    }
    let changes = &arguments.changes;
    if !changes.values.is_empty() && recording::is_recording(&arguments.source) {
        let help = "branch the recording: windlass branch RECORDING -o NEW.wlr --set …";
        return show::refuse(&format!(
            "--set, --dt and --integrator do not apply to recordings\n  help: {help}"
        ));
    }
    let result = match Format::of(&arguments.output) {
        Ok(Format::Svg) if arguments.stereo.is_some() => {
            Err(show::refuse("--stereo applies to rendered images only: give a name ending in .png or .mp4"))
        }
        Ok(format @ (Format::Svg | Format::Png)) => still(arguments, format),
        Ok(Format::Table) => table(arguments),
        Ok(Format::Scene) => text(arguments),
        Ok(format) => moving(arguments, format),
        Err(e) => Err(show::refuse(&e)),
    };
    match result {
        Ok(()) => show::print(&format!("wrote {}\n", arguments.output.display())),
        Err(outcome) => outcome,
    }
}

/// Rejects names in folders that do not exist, before anything is simulated or drawn.
fn room(arguments: &Arguments) -> Result<(), Outcome> {
    for path in [Some(&arguments.output), arguments.frames.as_ref()].into_iter().flatten() {
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if !folder.is_dir() {
            show::tell(&format!(
                "error: cannot write {}: the folder {} does not exist",
                path.display(),
                folder.display()
            ));
            show::tell("  help: create the folder first, or give another name");
            return Err(Outcome::File);
        }
    }
    Ok(())
}

/// The format to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Svg,
    Png,
    Film,
    Pov,
    Gltf,
    Usd,
    Table,
    Scene,
}

impl Format {
    /// The format of a file extension.
    fn of(path: &Path) -> Result<Format, String> {
        let ending = path.extension().map(|e| e.to_string_lossy().to_lowercase());
        match ending.as_deref() {
            Some("svg") => Ok(Format::Svg),
            Some("png") => Ok(Format::Png),
            Some("mp4") => Ok(Format::Film),
            Some("pov") => Ok(Format::Pov),
            Some("glb") => Ok(Format::Gltf),
            Some("usda") => Ok(Format::Usd),
            Some("csv" | "parquet") => Ok(Format::Table),
            Some("toml") => Ok(Format::Scene),
            other => {
                let what = other.map_or("without an extension".to_string(), |e| format!("\".{e}\""));
                let known = ".svg .png .mp4 .pov .glb .usda .csv .parquet or .toml";
                Err(format!("no format {what}: give a name ending in {known}"))
            }
        }
    }
}

/// The scene with everything expanded, as text; for a recording, the scene after the edits of its start.
fn text(arguments: &Arguments) -> Result<(), Outcome> {
    let scene = match recording::is_recording(&arguments.source) {
        true => {
            let recorded = || {
                let mut player = recording::player(&arguments.source)?;
                player.make_edits()?;
                Ok::<_, windlass_record::Error>(player.into_parts().1.scene)
            };
            recorded().map_err(|e| recording::failed(&e))?
        }
        false => load::changed(&arguments.source, &arguments.changes)?.scene().clone(),
    };
    let folder = |path: &Path| path.parent().map(Path::to_path_buf).unwrap_or_default();
    if !scene.assets().is_empty() && folder(&arguments.output) != folder(&arguments.source) {
        let help = "write it to the folder of the scene: paths of mesh files are relative to it";
        return Err(show::refuse(&format!("the scene refers to mesh files\n  help: {help}")));
    }
    write(&arguments.output, scene.to_toml().as_bytes())
}

/// The scene's probes, or all poses, velocities, joints and reactions: for a scene at a rate, for a recording
/// in every frame.
fn table(arguments: &Arguments) -> Result<(), Outcome> {
    let path = arguments.output.display().to_string();
    let to = Destination::parse(&path).map_err(|e| show::refuse(&e))?;
    if recording::is_recording(&arguments.source) {
        return match recording::log::frames(&arguments.source, &to, &[], None) {
            Ok(Outcome::Well) => Ok(()),
            Ok(outcome) => Err(outcome),
            Err(e) => Err(recording::failed(&e)),
        };
    }
    let mut machine = load::changed(&arguments.source, &arguments.changes)?;
    let sampling = Sampling::rate(arguments.fps, machine.dt()).map_err(|e| show::refuse(&e))?;
    let outputs = load::columns(&[], machine.built(), machine.world())?;
    let mut log = Log::create(&to, outputs, sampling).map_err(|e| cannot(&to.path, &e))?;
    let steps = step_count(arguments.duration.unwrap_or(machine.seconds()), machine.dt());
    let result = machine.run(Plan::steps(steps), &mut Console::listen(), &mut [&mut log]);
    console::complete(&result)
}

/// One picture.
fn still(arguments: &Arguments, format: Format) -> Result<(), Outcome> {
    let at = arguments.at.unwrap_or(0.0);
    let mut source = Source::open(arguments, Some(at))?;
    let picture = drawn(arguments, &mut source)?;
    let instant = source.reel.at(source.reel.count() - 1).expect("a source has a frame");
    if format == Format::Svg {
        let [width, height] = arguments.size.map(f64::from);
        let sheet = svg::Sheet { width, height, ..svg::Sheet::default() };
        let drawing = svg::svg(&picture, &instant, &sheet).map_err(told)?;
        return write(&arguments.output, drawing.as_bytes());
    }
    let folder = tempfile::tempdir().map_err(|e| cannot(Path::new("a temporary folder"), &e))?;
    film(arguments, &picture, folder.path()).still(&instant, &arguments.output).map_err(told)
}

/// An animation.
fn moving(arguments: &Arguments, format: Format) -> Result<(), Outcome> {
    let mut source = Source::open(arguments, None)?;
    let picture = drawn(arguments, &mut source)?;
    let reel = &mut source.reel;
    match format {
        Format::Gltf => {
            let options = gltf::Options { tolerance: arguments.tolerance, ..gltf::Options::default() };
            write(&arguments.output, &gltf::glb(&picture, reel, &options).map_err(told)?)
        }
        Format::Usd => write(&arguments.output, usda::usda(&picture, reel).map_err(told)?.as_bytes()),
        Format::Pov => frames(&picture, reel, &arguments.output),
        _ => {
            let folder =
                arguments.frames.clone().unwrap_or_else(|| arguments.output.with_extension("frames"));
            let mut film = film(arguments, &picture, &folder);
            film.output = Some(arguments.output.clone());
            shoot(&film, reel)
        }
    }
}

/// A folder of POV-Ray scenes.
fn frames(picture: &Picture, reel: &mut dyn Instants, folder: &Path) -> Result<(), Outcome> {
    std::fs::create_dir_all(folder).map_err(|e| cannot(folder, &e))?;
    write(&folder.join(pov::SCENE), pov::scene(picture).map_err(told)?.as_bytes())?;
    for frame in 0..reel.count() {
        let instant = reel.at(frame).expect("a frame that is counted is there");
        let text = pov::frame(picture, &instant).map_err(told)?;
        write(&folder.join(format!("frame_{frame:06}.pov")), text.as_bytes())?;
    }
    Ok(())
}

/// A film, with a progress bar on a terminal.
fn shoot(film: &Film<'_>, reel: &mut dyn Instants) -> Result<(), Outcome> {
    let interrupt = Interrupt::listen();
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} {msg}  {eta} left")
        .expect("the template is a constant")
        .progress_chars("━╸─");
    let bar = match std::io::stderr().is_terminal() {
        true => ProgressBar::new(reel.count() as u64).with_style(style),
        false => ProgressBar::hidden(),
    };
    let done = film.make(reel, &mut |progress: film::Progress| {
        bar.set_message(if progress.stage == Stage::Frames { "frames" } else { "video" });
        bar.set_position(progress.done as u64);
        if interrupt.came() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    bar.finish_and_clear();
    match done {
        Ok(_) => Ok(()),
        Err(_) if interrupt.came() => {
            show::tell("interrupted: run the command again to resume where it stopped");
            Err(Outcome::Interrupted)
        }
        Err(e) => Err(told(e)),
    }
}

fn film<'p>(arguments: &Arguments, picture: &'p Picture, folder: &Path) -> Film<'p> {
    let quality = match arguments.quality {
        Quality::Draft => film::Quality::Draft,
        Quality::Good => film::Quality::Good,
        Quality::Fine => film::Quality::Fine,
    };
    let pairing = if arguments.anaglyph { Pairing::RedCyan } else { Pairing::SideBySide };
    Film { size: arguments.size, quality, pairing, ..Film::new(picture, folder) }
}

/// The view.
fn drawn(arguments: &Arguments, source: &mut Source) -> Result<Picture, Outcome> {
    let mut picture =
        built::picture(&source.built, source.world(), &source.reel, arguments.camera.as_deref())
            .map_err(|e| show::refuse(&e))?;
    if arguments.no_ground {
        picture.ground = None;
    }
    if let Some([eyes, convergence]) = arguments.stereo {
        picture.camera.stereo = Some(windlass_export::Stereo { eyes, convergence });
    }
    Ok(picture)
}

/// Writes a file atomically: an older file stays until the new one is complete.
fn write(path: &Path, bytes: &[u8]) -> Result<(), Outcome> {
    save(path, bytes, Older::Replaced).map_err(|e| cannot(path, &e))
}

fn cannot(path: &Path, e: &std::io::Error) -> Outcome {
    show::tell(&format!("error: cannot write {}: {e}", path.display()));
    Outcome::File
}

fn told(e: Error) -> Outcome {
    show::tell(&format!("error: {e}"));
    match e {
        Error::Input { .. } => Outcome::Input,
        _ => Outcome::File,
    }
}
